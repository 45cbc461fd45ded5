/** A command of the project that failed on a commit, as `explain` tells it: which, how it ended, where its output is. */
import type { EntryOf, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { describeEnd } from '../../domain/text/command-output.ts';
import type { ExplainPlace } from '../agent.ts';

type Verified = EntryOf<'command-verified'>;

export function isVerified(entry: LedgerEntry): entry is Verified {
  return entry.kind === 'command-verified';
}

/** How the project's own command failed on a head of a pull request, by the run that pushed it; null where it did not. */
export async function findFailed(
  { ledger, repository }: Pick<ExplainPlace, 'ledger' | 'repository'>,
  number: number,
  head: string,
): Promise<Verified | null> {
  const subject = issueSubject(repository, number);
  const made = await ledger.find('pull-request-made', subject);
  const before = made === null ? [] : await ledger.readRun(made.run);
  const all = [...before, ...(await ledger.readWork(subject))];
  const last = all.filter(isVerified).findLast(({ data }) => data.commit === head);
  return last === undefined || last.data.exitCode === 0 ? null : last;
}

function howItEnded({ exitCode }: Verified['data']): string {
  return exitCode === null ? 'was stopped because it took too long' : `failed (exit code ${exitCode})`;
}

/** As a sentence; the output is untrusted text and is escaped where it is shown. */
export async function describeFailed(
  { ledger }: Pick<ExplainPlace, 'ledger'>,
  { data }: Verified,
  at: string | null = null,
): Promise<string> {
  const place = at === null ? '' : ` at ${at.slice(0, 12)}`;
  const ended = howItEnded(data).replace(/^(failed|was stopped)/u, `$1${place}`);
  return `"${data.command.join(' ')}" ${ended}. ${describeEnd(await ledger.getText(data.output))}`;
}

export function seeOutput({ run }: Pick<Verified, 'run'>, commandSuffix: string): string {
  return `see its output with: gatewright runs show ${run}${commandSuffix}`;
}
