/** Makes a commit of some files on top of another, with one git process and no index. */
import { GatewrightError } from '../../errors.ts';
import { type LedgerPlace, runAt } from './ledger-place.ts';

/** What each file holds from here on; null removes it. */
export type FileChanges = ReadonlyMap<string, string | null>;

const author = 'gatewright <gatewright@localhost>';

const dataOf = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** @param at in milliseconds */
export async function writeCommit(
  place: LedgerPlace,
  parent: string | null,
  { changes, message, at }: { readonly changes: FileChanges; readonly message: string; readonly at: number },
): Promise<string> {
  // Of this process alone: git locks the ref that it writes the commit to.
  const ref = `refs/gatewright/appending/${process.pid}`;
  const input = [
    `commit ${ref}\nmark :1\ncommitter ${author} ${Math.floor(at / 1000)} +0000\n${dataOf(message)}`,
    parent === null ? '' : `from ${parent}\n`,
    ...[...changes].map(([path, text]) =>
      text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${dataOf(text)}`,
    ),
    // Once the ledger has it, no other name is needed.
    `\nget-mark :1\nreset ${ref}\nfrom ${'0'.repeat(parent?.length ?? 40)}\n\ndone\n`,
  ].join('');
  const output = await runAt(place, ['fast-import', '--quiet', '--force', '--done'], { input });
  const commit = output.trim();
  if (/^[0-9a-f]{40,64}$/u.test(commit)) return commit;
  throw new GatewrightError('git-failed', 'git fast-import named no commit.');
}
