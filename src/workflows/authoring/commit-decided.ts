/**
 * Commits what was decided on. If a person edits a draft or verdict after its gate was answered (in an editor that was
 * still open, for example), the commit gets the decided text; then the person's version is put back into the work tree,
 * uncommitted. So the commit and the ledger say the same, and nothing that a person wrote is lost.
 */

import { sha256, shortHash } from '../../domain/ledger/hash.ts';
import type { EntryOf } from '../../domain/ledger/ledger-entry.ts';
import type { AuthoringContext } from './definition.ts';
import { foldDecided } from './rules/artefacts.ts';

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function restoreDecided(context: AuthoringContext): Promise<void> {
  const { effects, ledger, progress, repository } = context;
  for (const file of foldDecided(await context.readEntries())) {
    const text = await repository.readText(file.path);
    if (text === null || sha256(text) === file.sha256) continue;
    const replaces = await ledger.putText(text);
    // By what it replaces: after a crash the file may have been edited once more.
    const key = `file/decided/${nameOf(file.path)}/${shortHash(replaces)}`;
    await effects.perform(key, 'edit-file', () => ({ path: file.path, content: file.sha256, replaces }));
    progress({
      kind: 'warning',
      message: `${nameOf(file.path)} was changed after its gate was answered. The text of that moment is committed; your change stays in the work tree, uncommitted.`,
    });
  }
}

/** Puts the people's versions back, by the ledger: another process may have replaced them. */
async function returnLateEdits(context: AuthoringContext): Promise<void> {
  const replaced = (await context.readEntries()).filter(
    (entry): entry is EntryOf<'effect-intended'> =>
      entry.kind === 'effect-intended' && entry.data.effect.kind === 'edit-file',
  );
  for (const { data } of replaced) {
    const { effect } = data;
    if (effect.kind !== 'edit-file' || effect.replaces === undefined) continue;
    const { path, replaces: content } = effect;
    await context.effects.perform(`file/late/${nameOf(path)}/${shortHash(content)}`, 'edit-file', () => ({
      path,
      content,
      isUndecided: true as const,
    }));
  }
}

export async function commitDecided(
  context: AuthoringContext,
  message: string,
  paths: readonly string[],
): Promise<{ readonly commit: string }> {
  if (!context.request.dryRun) await restoreDecided(context);
  const receipt = await context.effects.perform('file/commit', 'commit-files', () => ({ message, paths }));
  if (!context.request.dryRun) await returnLateEdits(context);
  return receipt;
}
