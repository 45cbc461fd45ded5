/** Puts what a stage has found out into its own sections of the state document, and what it says to others beside it. */
import { GatewrightError } from '../../../../errors.ts';
import { checkOwnership, type Stage } from './section-owners.ts';
import type { StateDocument } from './state-document.ts';

type Fields<Section extends keyof StateDocument, Names extends keyof StateDocument[Section]> = {
  readonly [Key in Section]?: Partial<Pick<StateDocument[Section], Names>>;
};
type Whole<Section extends keyof StateDocument> = Fields<Section, keyof StateDocument[Section]>;

type Question = StateDocument['communication']['questions'][number];
type Escalation = StateDocument['communication']['escalations'][number];
type Observation = StateDocument['learnings']['observations'][number];

/** What every stage may add; who says it is filled in. */
interface Additions {
  readonly questions?: readonly Pick<Question, 'to' | 'question'>[];
  readonly escalations?: readonly Pick<Escalation, 'reason' | 'requires_human'>[];
  readonly observations?: readonly Omit<Observation, 'agent'>[];
}

interface Replies {
  /** `place` is the index in `communication.questions`. */
  readonly answers?: readonly { readonly place: number; readonly answer: string }[];
  /** `place` is the index in `communication.escalations`. */
  readonly resolutions?: readonly { readonly place: number; readonly resolution: string }[];
}

interface OwnChanges {
  readonly triage: Whole<'triage'> & Fields<'pipeline', 'status'>;
  readonly analyst: Whole<'analysis'> & Fields<'pipeline', 'current_agent'>;
  readonly writer: Whole<'writer'> & Fields<'pipeline', 'attempt'>;
  readonly build: Whole<'build'> & Fields<'review', 'feedback_for_writer'>;
  readonly reviewer: Whole<'review'> & Fields<'pipeline', 'status'>;
  readonly committer: Whole<'commit'> & Fields<'pipeline', 'status'>;
  readonly orchestrator: Whole<'pipeline'> &
    Fields<'learnings', 'outcome' | 'duration_minutes' | 'attempts_used'> &
    Replies;
}

export type SectionChange<One extends Stage> = OwnChanges[One] & Additions;

function addTo(state: StateDocument, stage: Stage, change: Additions): StateDocument {
  const questions = (change.questions ?? []).map(
    ({ to, question }): Question => ({ from: stage, to, question, answered: false, answer: null }),
  );
  const escalations = (change.escalations ?? []).map(
    ({ reason, requires_human }): Escalation => ({ agent: stage, reason, requires_human, resolved: false }),
  );
  const observations = (change.observations ?? []).map(
    ({ type, content, file }): Observation => ({
      ...{ agent: stage, type, content },
      ...(file === undefined ? {} : { file }),
    }),
  );
  const { communication, learnings } = state;
  return {
    ...state,
    communication: {
      ...communication,
      questions: [...communication.questions, ...questions],
      escalations: [...communication.escalations, ...escalations],
    },
    learnings: { ...learnings, observations: [...learnings.observations, ...observations] },
  };
}

function reply(state: StateDocument, { answers = [], resolutions = [] }: Replies): StateDocument {
  const answerAt = new Map(answers.map(({ place, answer }) => [place, answer]));
  const resolutionAt = new Map(resolutions.map(({ place, resolution }) => [place, resolution]));
  const { questions, escalations } = state.communication;
  for (const [places, count] of [
    [answerAt, questions.length],
    [resolutionAt, escalations.length],
  ] as const)
    for (const place of places.keys())
      if (!Number.isInteger(place) || place < 0 || place >= count)
        throw new GatewrightError('internal', `There is nothing at ${place} that could be answered.`);
  return {
    ...state,
    communication: {
      ...state.communication,
      questions: questions.map((one, at) => {
        const answer = answerAt.get(at);
        return answer === undefined ? one : { ...one, answered: true, answer };
      }),
      escalations: escalations.map((one, at) => {
        const resolution = resolutionAt.get(at);
        return resolution === undefined ? one : { ...one, resolved: true, resolution };
      }),
    },
  };
}

const isSection = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The document with the change in it: given fields replace those that are there, lists as a whole. Throws when the change
 * holds more than the stage owns, which its type forbids.
 */
export function applySection<One extends Stage>(
  stage: One,
  before: StateDocument,
  change: SectionChange<One>,
): StateDocument {
  const { questions, escalations, observations, answers, resolutions, ...sections } = change as Additions &
    Replies;
  const merged = Object.fromEntries(
    Object.entries(sections).map(([name, fields]: [string, unknown]) => {
      const old: unknown = Object.hasOwn(before, name) ? before[name as keyof StateDocument] : undefined;
      return [name, isSection(old) && isSection(fields) ? { ...old, ...fields } : fields];
    }),
  );
  const added = addTo({ ...before, ...merged }, stage, {
    questions: questions ?? [],
    escalations: escalations ?? [],
    observations: observations ?? [],
  });
  const after = reply(added, { answers: answers ?? [], resolutions: resolutions ?? [] });
  const violations = checkOwnership(stage, before, after);
  if (violations.length === 0) return after;
  throw new GatewrightError('issue-state-invalid', `The ${stage} stage may change only its own sections.`, {
    details: violations.map(({ message }) => message),
  });
}
