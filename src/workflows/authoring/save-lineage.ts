/** Puts the next numbered file into the run's lineage folder. */
import {
  activeFolder,
  type LineageSuffix,
  lineageFileName,
  nextLineageNumber,
} from '../../domain/drafts/lineage.ts';
import type { AuthoringContext } from './definition.ts';
import type { Artefact } from './state.ts';

/** The key says which file of the run it is; the number is looked up on disk once, when the file is first intended. */
export async function saveLineage(
  context: AuthoringContext,
  key: string,
  suffix: LineageSuffix,
  build: () => string | Promise<string>,
): Promise<Artefact> {
  const folder = activeFolder(context.request.slug);
  const { path, content } = await context.effects.perform(key, 'write-file', async () => {
    const planned = context.request.dryRun ? await plannedNames(context, folder) : [];
    const names = [...(await context.repository.listFolder(folder)), ...planned];
    const number = nextLineageNumber(names);
    return {
      path: `${folder}/${lineageFileName(number, suffix)}`,
      content: await context.ledger.putText(await build()),
    };
  });
  context.progress({ kind: 'saved', what: suffix.replace(/\..*$/u, ''), path });
  return { path, hash: content };
}

/** A dry run writes nothing, so the numbers it would have used are read off its intents. */
async function plannedNames(context: AuthoringContext, folder: string): Promise<string[]> {
  return (await context.readEntries())
    .flatMap((entry) =>
      entry.kind === 'effect-intended' && entry.data.effect.kind === 'write-file'
        ? [entry.data.effect.path]
        : [],
    )
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));
}
