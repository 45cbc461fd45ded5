/**
 * Who may change what in the state document. Stages write with the words of a model, and a writer has the file in its
 * working copy: a stage that could set another's verdict would need no reviewer.
 */
import { type JsonPath, type JsonProblem, showPath } from '../../../documents/json-tree.ts';
import { limitProblems } from '../../../documents/limit-problems.ts';
import { type Difference, findDifferences } from './find-differences.ts';
import type { StateDocument } from './state-document.ts';
import type { stages } from './state-schema.ts';

export type Stage = (typeof stages)[number];
export type Violation = JsonProblem;

interface OwnedPath {
  /** With all that is in it; `[]` stands for every item of a list. */
  readonly path: string;
  readonly when?: { readonly holds: (after: StateDocument) => boolean; readonly words: string };
}

const hasBuildFailed = ({ build }: StateDocument): boolean =>
  build.errors.length > 0 || [build.tests_passed, build.lint_passed, build.type_check_passed].includes(false);

/** The one table of owners. What stands in no row is changed by no stage: the issue, the version, the name of the session. */
const ownedPaths: Readonly<Record<Stage, readonly OwnedPath[]>> = {
  triage: [{ path: 'triage' }, { path: 'pipeline.status' }],
  analyst: [{ path: 'analysis' }, { path: 'pipeline.current_agent' }],
  writer: [{ path: 'writer' }, { path: 'pipeline.attempt' }],
  build: [
    { path: 'build' },
    {
      path: 'review.feedback_for_writer',
      when: { holds: hasBuildFailed, words: 'while the build has not failed' },
    },
  ],
  reviewer: [{ path: 'review' }, { path: 'pipeline.status' }],
  committer: [{ path: 'commit' }, { path: 'pipeline.status' }],
  orchestrator: [
    { path: 'pipeline' },
    { path: 'communication.questions[].answered' },
    { path: 'communication.questions[].answer' },
    { path: 'communication.escalations[].resolved' },
    { path: 'communication.escalations[].resolution' },
    { path: 'learnings.outcome' },
    { path: 'learnings.duration_minutes' },
    { path: 'learnings.attempts_used' },
  ],
};

interface OpenList {
  readonly path: string;
  /** The field that says who added an entry. */
  readonly author: string;
  /** What a new entry may not say yet. */
  readonly open: Readonly<Record<string, boolean | null>>;
}

/** Lists to which every stage may add, in its own name; what others have added stays as it is. */
const openLists: readonly OpenList[] = [
  { path: 'communication.questions', author: 'from', open: { answered: false, answer: null } },
  { path: 'communication.escalations', author: 'agent', open: { resolved: false, resolution: null } },
  { path: 'learnings.observations', author: 'agent', open: {} },
];

const stepsOf = (path: string): readonly string[] => path.replaceAll('[]', '.[]').split('.');

function isInside(path: JsonPath, owned: string): boolean {
  const steps = stepsOf(owned);
  return (
    path.length >= steps.length &&
    steps.every((step, at) => (step === '[]' ? typeof path[at] === 'number' : path[at] === step))
  );
}

/** What is wrong with an entry that a stage adds to an open list. */
function checkEntry(stage: Stage, { path, value }: Difference, { author, open }: OpenList): Violation[] {
  const entry: Readonly<Record<string, unknown>> = typeof value === 'object' ? { ...value } : {};
  const named = entry[author];
  const foreign =
    named === stage
      ? []
      : [
          {
            path: showPath([...path, author]),
            message: `${stage} may not speak in the name of ${String(named)}`,
          },
        ];
  const closed = Object.entries(open)
    .filter(([field, expected]) => (entry[field] ?? null) !== expected)
    .map(([field]) => {
      const place = showPath([...path, field]);
      return { path: place, message: `${stage} may not set ${place}: the orchestrator does so later` };
    });
  return [...foreign, ...closed];
}

function judge(stage: Stage, difference: Difference, after: StateDocument): Violation[] {
  const { path, kind } = difference;
  const list = openLists.find((one) => path.length === 3 && isInside(path, `${one.path}[]`));
  if (list !== undefined && kind === 'added') return checkEntry(stage, difference, list);
  const owned = ownedPaths[stage].find((one) => isInside(path, one.path));
  if (owned !== undefined && (owned.when === undefined || owned.when.holds(after))) return [];
  const place = showPath(path);
  const words = owned?.when === undefined ? '' : ` ${owned.when.words}`;
  return [{ path: place, message: `${stage} may not change ${place}${words}` }];
}

/** Every change between the two documents that the stage may not make, in known fields and in unknown ones. */
export function checkOwnership(stage: Stage, before: StateDocument, after: StateDocument): Violation[] {
  return limitProblems(
    findDifferences(before, after).flatMap((difference) => judge(stage, difference, after)),
  );
}
