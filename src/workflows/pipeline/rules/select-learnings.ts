/** Which learnings an analyst or a writer is given: those about their files first, the surest first, while there is room. */
import { confidenceAt, type Learning } from '../../../domain/learnings/learnings.ts';

/** Below that, what is known is too old or has failed too often to be told. */
const leastConfidence = 0.1;

export interface SelectedLearning {
  readonly learning: Learning;
  /** As one line of data. The caller fences the lines: they are no words of ours. */
  readonly line: string;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** How much it is about these files. Before they are known, all learnings weigh the same. */
function relevance(file: string | null, files: readonly string[]): number {
  if (file === null || files.length === 0) return 1;
  if (files.includes(file)) return 2;
  return files.some((one) => folderOf(one) === folderOf(file)) ? 1.5 : 0.5;
}

/** Everything that others wrote is in quotes that it cannot end. */
function renderLearning(learning: Learning, now: string): string {
  const { agent, type, file, content, seen } = learning;
  const about = file === null ? '' : `, about ${JSON.stringify(file)}`;
  const sure = confidenceAt(learning, now).toFixed(2);
  return `- ${JSON.stringify(content)} (${JSON.stringify(type)} by ${JSON.stringify(agent)}${about}, seen ${seen}×, confidence ${sure})`;
}

export function selectLearnings(
  learnings: readonly Learning[],
  wanted: { readonly files: readonly string[]; readonly budgetCharacters: number; readonly now: string },
): SelectedLearning[] {
  const { files, budgetCharacters, now } = wanted;
  const ranked = learnings
    .map((learning) => ({ learning, sure: confidenceAt(learning, now) }))
    .filter(({ sure }) => sure >= leastConfidence)
    .map(({ learning, sure }) => ({ learning, weight: sure * relevance(learning.file, files) }))
    .sort((a, b) => b.weight - a.weight || (a.learning.id < b.learning.id ? -1 : 1));
  let room = budgetCharacters;
  return ranked.flatMap(({ learning }) => {
    const line = renderLearning(learning, now);
    // A line feed follows each line.
    if (line.length + 1 > room) return [];
    room -= line.length + 1;
    return [{ learning, line }];
  });
}
