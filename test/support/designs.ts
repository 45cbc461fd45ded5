/** What tests of designs begin with: an issue on the local forge, and cassettes that answer about it. */
import { approved, designText, writeCassette } from './cassettes.ts';
import { openRecords } from './open-records.ts';
import type { Playground } from './playground.ts';

export const repositoryName = 'local/project';

export const issueWords = {
  title: 'Export reports as CSV',
  body: 'People copy numbers out of the report page by hand. They should get a file instead.',
} as const;

/** Files an issue; the first makes the playground's person the administrator. */
export async function fileIssue(
  playground: Playground,
  words: { readonly title: string; readonly body: string } = issueWords,
): Promise<number> {
  const { forge, close } = openRecords(playground);
  await forge.registerRepository(playground.repository, repositoryName);
  const { number } = await forge.createIssue(repositoryName, { ...words, labels: [] });
  close();
  return number;
}

export async function changeIssue(playground: Playground, number: number, body: string): Promise<void> {
  const { forge, close } = openRecords(playground);
  await forge.editIssue(repositoryName, number, { body });
  close();
}

export function designModels(
  playground: Playground,
  drafts: readonly string[] = [designText(1)],
  verdicts: readonly (typeof approved)[] = [approved],
  name = `d${drafts.length}-${verdicts.length}`,
): string[] {
  return writeCassette(playground.folder, name, { drafts, verdicts, includes: 'Write the design.' });
}
