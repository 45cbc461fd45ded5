/** Checks what an analysis says has to be done and must not be done: neither may be empty, nor contradict the rest. */

import { inertCode } from '../../../../domain/text/inert-markdown.ts';
import { foldSentence } from '../fold-sentence.ts';
import { type FileDeed, isMeant, readProhibitions } from '../writing/read-prohibition.ts';
import { type Analysis, type AnalysisFile, type AnalysisProblem, isBlank } from './analysis.ts';

const deedsOf: Readonly<Record<AnalysisFile['action'], readonly FileDeed[]>> = {
  ...{ create: ['add', 'change'], modify: ['change'], delete: ['remove', 'change'] },
};

/** The first file of the analysis that a sentence forbids to be worked on as planned. */
function findForbidden(sentence: string, files: readonly AnalysisFile[]): AnalysisFile | undefined {
  const rules = (readProhibitions(sentence) ?? []).filter((one) => one.kind === 'paths');
  return files.find(({ path, action }) =>
    rules.some(
      ({ deeds, paths }) =>
        deedsOf[action].some((deed) => deeds.includes(deed)) &&
        (paths.length === 0 || paths.some((named) => isMeant(path, named))),
    ),
  );
}

function checkEntries(name: 'must_do' | 'must_not_do', list: readonly string[]): AnalysisProblem[] {
  if (list.every(isBlank)) return [];
  return list.flatMap((text, index) =>
    isBlank(text)
      ? [
          {
            path: `${name}[${index}]`,
            message: 'This entry is empty.',
            suggestion: 'Write a sentence, or leave it out.',
          },
        ]
      : [],
  );
}

export function checkLimits({ must_do, must_not_do, files }: Analysis): AnalysisProblem[] {
  const wanted = new Set(must_do.map(foldSentence));
  return [
    ...(must_do.every(isBlank)
      ? [
          {
            path: 'must_do',
            message: 'The analysis does not say what has to be done.',
            suggestion: 'List each thing in one sentence.',
          },
        ]
      : checkEntries('must_do', must_do)),
    ...checkEntries('must_not_do', must_not_do),
    ...must_not_do.flatMap((text, index): AnalysisProblem[] => {
      const path = `must_not_do[${index}]`;
      if (isBlank(text)) return [];
      if (wanted.has(foldSentence(text)))
        return [{ path, message: 'The same is in must_do.', suggestion: 'Keep it in one of the two lists.' }];
      const file = findForbidden(text, files);
      if (file === undefined) return [];
      const message = `This forbids to ${file.action} ${inertCode(file.path)}, which is among the files.`;
      return [{ path, message, suggestion: 'Leave the file out, or allow it here.' }];
    }),
  ];
}
