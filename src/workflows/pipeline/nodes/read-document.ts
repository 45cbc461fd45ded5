/** The state document of a run: read back from the ledger, changed, and shown in its file. */
import { sha256 } from '../../../domain/ledger/hash.ts';
import { GatewrightError, isPause } from '../../../errors.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { readState, type StateDocument, writeState } from '../rules/document/state-document.ts';
import type { PipelineState } from '../state.ts';

export function parseDocument(text: string, name: string): StateDocument {
  const read = readState(text);
  if ('state' in read) return read.state;
  throw new GatewrightError('issue-state-invalid', `${name} is no valid state of the pipeline.`, {
    details: read.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
  });
}

export async function readDocument(
  { ledger }: Pick<PipelineContext, 'ledger'>,
  { document }: Pick<PipelineState, 'document'>,
): Promise<StateDocument> {
  if (document === null) throw new GatewrightError('internal', 'The pipeline has no state yet.');
  return parseDocument(await ledger.getText(document), 'The stored state');
}

export function baseOf({ base }: PipelineState): NonNullable<PipelineState['base']> {
  if (base === null) throw new GatewrightError('internal', 'The pipeline has no base yet.');
  return base;
}

/** Keeps a document; a text that could not be read back is refused before anything rests on it. */
export async function keepDocument(
  { ledger }: Pick<PipelineContext, 'ledger'>,
  document: StateDocument,
): Promise<string> {
  return ledger.putText(writeState(document));
}

/** The names that the file may have, the usual one first. */
export function fileNamesOf(number: number): readonly [string, string] {
  return ['issue-state.json', `issue-state-${number}.json`];
}

/** Whether a text is one that a pipeline of ours has shown for this issue: such a text is on the ledger. */
async function isShownBefore(
  ledger: Pick<PipelineContext['ledger'], 'getText'>,
  text: string,
  number: number,
): Promise<boolean> {
  const read = readState(text);
  if ('problems' in read || read.state.issue.number !== number) return false;
  return ledger.getText(sha256(text)).then(
    () => true,
    () => false,
  );
}

/**
 * The file in which the state of an issue is shown: the usual name, or one with the number of the issue where the usual
 * one is taken. A file that no pipeline of ours wrote is not touched.
 */
export async function chooseFile(
  { files, ledger }: Pick<PipelineContext, 'files' | 'ledger'>,
  number: number,
): Promise<string | null> {
  for (const name of fileNamesOf(number)) {
    const text = await files.readText(name).catch(() => '');
    if (text === null) return name;
    if (await isShownBefore(ledger, text, number)) return name;
  }
  return null;
}

/** Shows the state in its file; the ledger is what counts, so a file that cannot be written stops nothing. */
export async function showDocument(
  { effects, progress }: PipelineContext,
  { file, step }: Pick<PipelineState, 'file' | 'step'>,
  document: string | null,
): Promise<void> {
  if (file === null) return;
  const key = `state-${step}-${document === null ? 'removed' : sha256(document).slice(0, 12)}`;
  try {
    await effects.perform(key, 'show-state', () => ({ path: file, content: document }));
  } catch (error) {
    if (!(error instanceof GatewrightError) || error.code === 'cancelled' || isPause(error)) throw error;
    const remedy =
      error.code === 'file-conflict' ? ' Move it away, and the next stage shows the state there again.' : '';
    progress({ kind: 'warning', message: `${file} could not be written: ${error.message}${remedy}` });
  }
}
