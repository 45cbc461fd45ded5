/**
 * How risky a change is, by rule: what each path is, how large it is, whether tests came with it. Decides the one risk
 * label of a pull request. Only three kinds of files go without a person, and everything else asks one. A model may be
 * of a graver opinion, never of a lighter one.
 */

import { labelNames } from '../forge/labels.ts';
import { isSteeringPath, judgePath, mayMerge, type PathJudgement } from './path-class.ts';
import { type TestRunner, testRunners } from './test-runners.ts';
import type { TreeFile } from './tree-file.ts';

/** From light to grave. */
export const riskLabels = [labelNames.autoMerge, labelNames.needsReview, labelNames.blocked] as const;
export type RiskLabel = (typeof riskLabels)[number];

export interface ChangedPath {
  readonly path: string;
  readonly previousPath: string | null;
  readonly change: 'added' | 'modified' | 'removed' | 'renamed';
  readonly additions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
  /** What it was before, and is now; null where there is nothing. */
  readonly was: TreeFile['kind'] | null;
  readonly is: TreeFile['kind'] | null;
}

export interface Risk {
  readonly label: RiskLabel;
  /** Why, one sentence each; for the pull request's text. */
  readonly reasons: readonly string[];
}

/** A change up to this size can be taken in at a glance. */
const fewLines = 50;
const fewFiles = 20;
/** Of its difference: a file of one line may hold megabytes. */
export const fewCharacters = 20_000;

function raise(a: RiskLabel, b: RiskLabel): RiskLabel {
  return riskLabels.indexOf(a) >= riskLabels.indexOf(b) ? a : b;
}

function pathsOf(file: ChangedPath): string[] {
  return file.previousPath === null ? [file.path] : [file.path, file.previousPath];
}

function kindsOf({ was, is }: ChangedPath): TreeFile['kind'][] {
  return [was, is].filter((kind) => kind !== null);
}

/** The same, or graver for a further reason. */
export function raiseRisk(risk: Risk, label: RiskLabel, reason: string): Risk {
  const isFirst =
    riskLabels.indexOf(risk.label) < riskLabels.indexOf(label) && risk.label === labelNames.autoMerge;
  // Reasons for the light label do not explain the graver one, so they are left out.
  return { label: raise(risk.label, label), reasons: [...(isFirst ? [] : risk.reasons), reason] };
}

function listFew(paths: readonly string[]): string {
  const few = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? `${few} and ${paths.length - 3} more` : few;
}

/** The paths that only a person may merge, by hand, no matter which labels are set; one sentence each. */
export function listMergedByHand(files: readonly ChangedPath[]): string[] {
  const steered = files.flatMap(pathsOf).filter(isSteeringPath);
  const holding = (kind: TreeFile['kind']): string[] =>
    files.filter((file) => kindsOf(file).includes(kind)).map(({ path }) => path);
  const [links, repositories] = [holding('link'), holding('repository')];
  return [
    ...(steered.length > 0 ? [`It changes what steers builds or agents: ${listFew(steered)}.`] : []),
    ...(links.length > 0 ? [`It changes links: ${listFew(links)}.`] : []),
    ...(repositories.length > 0
      ? [`It changes repositories in the repository: ${listFew(repositories)}.`]
      : []),
  ];
}

/** Whether a change holds source, which needs a test that was run. */
export function holdsSource(files: readonly ChangedPath[], runners: readonly TestRunner[]): boolean {
  return files.flatMap(pathsOf).some((path) => judgePath(path, runners).class === 'source');
}

/** Why a file of a known class asks a person all the same. */
function objectionTo(file: ChangedPath, judged: readonly PathJudgement[]): string | null {
  const asking = judged.find((one) => !mayMerge(one));
  if (asking !== undefined) return `${file.path}: ${asking.what} (${asking.class}).`;
  if (kindsOf(file).includes('program')) return `${file.path}: it is or was executable.`;
  if (new Set(judged.map((one) => one.class)).size > 1)
    return `${file.path}: its class differs from that of ${file.previousPath ?? 'the former file'}.`;
  return null;
}

/**
 * @param opinion what the model that made the change thinks, if it said so
 * @param runners those that the project has; all known ones when the caller did not look which the project has
 */
export function assessRisk(
  files: readonly ChangedPath[],
  opinion: RiskLabel | null,
  runners: readonly TestRunner[] = testRunners,
): Risk {
  const reasons: string[] = [];
  let label: RiskLabel = labelNames.autoMerge;
  const because = (risk: RiskLabel, reason: string): void => {
    label = raise(label, risk);
    reasons.push(reason);
  };
  const isTest = ({ path }: ChangedPath): boolean => judgePath(path, runners).class === 'test';
  const lines = files.reduce((sum, file) => sum + file.additions + file.deletions, 0);
  if (files.length === 0) because('blocked', 'It changes nothing.');
  for (const reason of listMergedByHand(files)) because('blocked', reason);
  const isByHand = (file: ChangedPath): boolean => listMergedByHand([file]).length > 0;
  const objections = files
    .filter((file) => !isByHand(file))
    .map((file) =>
      objectionTo(
        file,
        pathsOf(file).map((path) => judgePath(path, runners)),
      ),
    )
    .filter((objection) => objection !== null);
  for (const objection of objections.slice(0, 5)) because(labelNames.needsReview, objection);
  if (objections.length > 5)
    because(
      labelNames.needsReview,
      objections.length === 6
        ? '1 more file needs a person.'
        : `${objections.length - 5} more files need a person.`,
    );
  if (files.some((file) => file.isBinary))
    because(labelNames.needsReview, 'It contains binary files, which a reviewer cannot read.');
  if (lines > fewLines)
    because(
      labelNames.needsReview,
      `It changes ${lines} lines; at most ${fewLines} may be merged without a person.`,
    );
  if (files.length > fewFiles)
    because(
      labelNames.needsReview,
      `It changes ${files.length} files; at most ${fewFiles} may be merged without a person.`,
    );
  if (files.some((file) => file.change === 'removed' && judgePath(file.path).class === 'test'))
    because(labelNames.needsReview, 'It removes tests.');
  if (files.some((file) => isTest(file) && file.change !== 'removed' && file.deletions > file.additions))
    because(labelNames.needsReview, 'It removes more lines of a test than it adds.');
  const hasTests = files.some((file) => isTest(file) && file.change !== 'removed' && file.additions > 0);
  if (holdsSource(files, runners) && !hasTests)
    because(labelNames.needsReview, 'It changes code and no test that the project’s runner would run.');
  if (opinion !== null && riskLabels.indexOf(opinion) > riskLabels.indexOf(label))
    because(opinion, `Its author calls it "${opinion}".`);
  if (reasons.length === 0)
    reasons.push('It is small and tested, and every file may be merged without a person.');
  return { label, reasons };
}
