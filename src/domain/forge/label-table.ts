/**
 * The one table of labels: what each means, who may set and remove it, who reads it, when it comes and goes. Every
 * label name comes from labels.ts. What follows for a change of labels is in the label-keeper's rules.
 */
import { GatewrightError } from '../../errors.ts';
import type { AgentName } from '../fleet/agent-names.ts';
import { hasUnsafeCharacters } from '../text/untrusted-text.ts';
import { labelNames } from './labels.ts';

/** Colour of a label that a draft asks for and that is not defined: GitHub's own neutral grey. */
export const defaultLabelColour = 'ededed';

/**
 * Of `risk` and of `stage` there may be one at a time. `state` says what is going on, `report` marks what we wrote
 * ourselves, `content` says what the issue is about; `foreign` labels come from other tools: we respect them and do not
 * make them.
 */
type LabelKind = 'risk' | 'state' | 'stage' | 'report' | 'content' | 'foreign';

/** Gatewright itself may always. A writer is a person with write permission, or a program that is listed. */
type LabelRight = 'gatewright' | 'writer' | 'anybody';

export interface KnownLabel {
  readonly name: string;
  readonly colour: string;
  /** What it means, for people; a label without a description is known and not made. */
  readonly description: string;
  readonly kind: LabelKind;
  readonly setBy: LabelRight;
  /** Writers may always remove what they do not want. */
  readonly removedBy: 'writer' | 'anybody';
  readonly readBy: readonly (AgentName | 'people' | 'the loop' | 'the pipeline')[];
  /** When it comes and when it goes. */
  readonly comes: string;
  readonly goes: string;
  /** Of a stage: those that it may come after. */
  readonly follows: readonly string[];
}

type Rest = Pick<KnownLabel, 'readBy' | 'comes' | 'goes'> &
  Partial<Pick<KnownLabel, 'setBy' | 'removedBy' | 'follows'>>;

function group(kind: LabelKind, rights: Pick<KnownLabel, 'setBy' | 'removedBy'>) {
  return (name: string, colour: string, description: string, rest: Rest): KnownLabel => ({
    name,
    colour,
    description,
    kind,
    follows: [],
    ...rights,
    ...rest,
  });
}

const content = group('content', { setBy: 'anybody', removedBy: 'anybody' });
const risk = group('risk', { setBy: 'writer', removedBy: 'writer' });
const state = group('state', { setBy: 'gatewright', removedBy: 'writer' });
const report = group('report', { setBy: 'gatewright', removedBy: 'writer' });
const stage = group('stage', { setBy: 'gatewright', removedBy: 'writer' });
const foreign = group('foreign', { setBy: 'writer', removedBy: 'writer' });

const guessed: Rest = {
  readBy: ['implementer', 'people'],
  comes: 'by hand, or from the stale-gardener on an issue without a label',
  goes: 'by hand',
};
const byHand: Rest = { readBy: ['people'], comes: 'by hand', goes: 'by hand' };
const reported: Rest = {
  readBy: ['stale-gardener'],
  comes: 'with the report, when it is opened',
  goes: 'never by itself',
};

export const labelTable: readonly KnownLabel[] = [
  content(labelNames.bug, 'd73a4a', 'Something does not work as it should', guessed),
  content(labelNames.feature, 'a2eeef', 'Something new that people can do', guessed),
  content(labelNames.enhancement, 'a2eeef', 'Something that is there gets better', {
    ...byHand,
    readBy: ['implementer', 'people'],
    comes: 'by hand, or with an issue whose brief names no label',
  }),
  content(labelNames.chore, 'c5def5', 'Upkeep that users do not see', {
    ...byHand,
    readBy: ['implementer', 'people'],
  }),
  content(labelNames.security, 'ee0701', 'Concerns secrets, access or attacks', {
    ...byHand,
    readBy: ['implementer', 'people', 'stale-gardener'],
  }),
  content(labelNames.documentation, '0075ca', 'Concerns what people read', guessed),
  content(labelNames.question, 'd876e3', 'Waits for an answer', { ...guessed, readBy: ['people'] }),
  risk(labelNames.autoMerge, '0e8a16', 'May be merged without a person, once it is reviewed', {
    readBy: ['auto-merge', 'people'],
    comes: 'with a pull request of low risk, or by hand',
    goes: 'when the pull request gets another risk label',
  }),
  risk(labelNames.needsReview, 'fbca04', 'A person has to review it before it is merged', {
    readBy: ['auto-merge', 'people'],
    comes: 'with a pull request of moderate or unknown risk, or when a limit is reached',
    goes: 'when the pull request gets another risk label',
  }),
  risk(labelNames.blocked, 'b60205', 'Cannot go on without a person', {
    readBy: ['auto-merge', 'stale-gardener', 'people'],
    comes: 'with a pull request that a person has to decide about, also because its author has questions',
    goes: 'when the pull request gets another risk label',
  }),
  state(labelNames.planning, '0052cc', 'A plan is wanted first, and no code yet', {
    setBy: 'writer',
    readBy: ['implementer', 'stale-gardener'],
    comes: 'by hand',
    goes: 'when the plan is approved, or by hand',
  }),
  state(labelNames.working, '0969da', 'An agent is working on it', {
    readBy: ['stale-gardener', 'people'],
    comes: 'when an agent begins on an issue, or on a pull request that it is called to in a comment',
    goes: 'when it stops, whatever came of it',
  }),
  state(labelNames.hold, 'e99695', 'Not begun and not merged until this is removed', {
    setBy: 'anybody',
    readBy: ['implementer', 'auto-merge', 'stale-gardener', 'people'],
    comes: 'by hand',
    goes: 'by hand of a person with write permission',
  }),
  state(labelNames.conflict, 'd93f0b', 'Does not merge as it is', {
    readBy: ['auto-merge', 'people'],
    comes: 'when a pull request of the template sync does not fit its base, or nothing of the template fits',
    goes: 'when it fits again',
  }),
  state(labelNames.stale, 'cfd3d7', 'Nothing has happened for a long time', {
    removedBy: 'anybody',
    readBy: ['stale-gardener'],
    comes: 'from the gardener, after 30 quiet days',
    goes: 'with a new comment; when the issue is closed after 60 days; or by hand',
  }),
  report(labelNames.dailyDigest, 'bfdadc', 'A digest; gardening leaves it alone', reported),
  report(labelNames.healthReport, 'bfdadc', 'A report on the agents; gardening leaves it alone', reported),
  report(
    labelNames.gardenerReport,
    'bfdadc',
    'A report of the gardener; gardening leaves it alone',
    reported,
  ),
  report(labelNames.agentStopped, 'b60205', 'An agent stopped and needs a person', {
    readBy: ['stale-gardener', 'people'],
    comes: 'with the issue that tells of the stop of an agent on a schedule',
    goes: 'never by itself',
  }),
  report(labelNames.templateSync, 'bfd4f2', 'Brings files of a template; its size is not judged', {
    readBy: ['pr-size-guardian', 'stale-gardener'],
    comes: 'with a pull request of the template sync',
    goes: 'never by itself',
  }),
  stage(labelNames.loop, '7057ff', 'Asks for a plan', {
    setBy: 'writer',
    readBy: ['the loop', 'stale-gardener'],
    comes: 'by hand, on an issue that is at no stage',
    goes: 'when planning begins',
  }),
  stage(labelNames.loopPlanning, 'd4c5f9', 'The plan is being made', {
    readBy: ['the loop', 'stale-gardener', 'people'],
    comes: 'when planning begins, and again when the work went stale',
    goes: 'when the plan is approved',
    follows: [labelNames.loop, labelNames.loopInProgress, labelNames.loopBlocked],
  }),
  stage(labelNames.loopApproved, '0e8a16', 'The plan is approved', {
    setBy: 'writer',
    readBy: ['the loop', 'stale-gardener', 'people'],
    comes:
      'when a permitted person approved the plan; set by hand after the plan was posted, it approves that plan',
    goes: 'when the first task begins',
    follows: [labelNames.loopPlanning],
  }),
  stage(labelNames.loopInProgress, 'fbca04', 'The plan is being carried out', {
    readBy: ['the loop', 'stale-gardener', 'people'],
    comes: 'when a task begins, also one that mends what testing found',
    goes: 'when all tasks pass, or one cannot',
    follows: [labelNames.loopApproved, labelNames.loopBlocked, labelNames.loopTesting],
  }),
  stage(labelNames.loopTesting, 'c2e0c6', 'Done; waits for a person to try it', {
    readBy: ['the loop', 'stale-gardener', 'people'],
    comes: 'when all tasks pass',
    goes: 'when a person says whether it works',
    follows: [labelNames.loopInProgress, labelNames.loopBlocked],
  }),
  stage(labelNames.loopBlocked, 'b60205', 'Stopped; a person is needed', {
    readBy: ['the loop', 'stale-gardener', 'people'],
    comes: 'when a task or a fix failed three times',
    goes: 'when a person helped and the work goes on',
    follows: [labelNames.loopInProgress, labelNames.loopTesting],
  }),
  stage(labelNames.loopReview, '1d76db', 'Tried and ready for review', {
    readBy: ['the loop', 'stale-gardener', 'people'],
    comes: 'when a person said that it works',
    goes: 'when it is merged',
    follows: [labelNames.loopTesting],
  }),
  stage(labelNames.loopComplete, '0e8a16', 'Merged and closed', {
    readBy: ['stale-gardener', 'people'],
    comes: 'when it is merged and the issue closed',
    goes: 'never by itself',
    follows: [labelNames.loopReview],
  }),
  foreign(labelNames.agent, defaultLabelColour, '', { ...byHand, readBy: ['the pipeline'] }),
  foreign(labelNames.strategyLoop, defaultLabelColour, '', { ...byHand, readBy: ['implementer'] }),
  foreign(labelNames.strategyPipeline, defaultLabelColour, '', { ...byHand, readBy: ['implementer'] }),
  foreign(labelNames.readyToImplement, '00ff00', '', { ...byHand, readBy: ['implementer'] }),
  foreign(labelNames.doNotMerge, 'b60205', '', { ...byHand, setBy: 'anybody', readBy: ['auto-merge'] }),
  foreign(labelNames.pinned, defaultLabelColour, '', {
    ...byHand,
    setBy: 'anybody',
    removedBy: 'anybody',
    readBy: ['stale-gardener'],
  }),
];

/** The labels that a repository is set up with. */
export const standardLabels: readonly Pick<KnownLabel, 'name' | 'colour' | 'description'>[] = labelTable
  .filter(({ description }) => description !== '')
  .map(({ name, colour, description }) => ({ name, colour, description }));

/** The stages of a loop, one at a time on an issue. */
export const loopStages: readonly KnownLabel[] = labelTable.filter(({ kind }) => kind === 'stage');

/** Forges do not tell labels apart by upper and lower case. */
export function findLabel(name: string): KnownLabel | undefined {
  const plain = name.trim().toLowerCase();
  return labelTable.find((one) => one.name.toLowerCase() === plain);
}

/** A stage that a person sets: it asks for a plan, or approves one. */
export function isLoopOrder(name: string): boolean {
  const known = findLabel(name);
  return known?.kind === 'stage' && known.setBy === 'writer';
}

/** Labels that steer: only some accounts may set or remove them. A draft may not carry one. */
export function isControlLabel(name: string): boolean {
  const plain = name.trim().toLowerCase();
  const known = findLabel(name);
  const isFree = known === undefined || (known.setBy === 'anybody' && known.removedBy === 'anybody');
  return !isFree || plain === 'ai' || plain.startsWith('ai:');
}

export function labelColour(name: string): string {
  return findLabel(name)?.colour ?? defaultLabelColour;
}

/** Checks a label name for the forge; returns it trimmed. */
export function checkLabelName(name: string): string {
  const trimmed = name.trim();
  if (
    trimmed === '' ||
    [...trimmed].length > 50 ||
    trimmed.includes(',') ||
    hasUnsafeCharacters(name) ||
    /[\r\n\t]/u.test(name)
  ) {
    throw new GatewrightError(
      'label-invalid',
      'A label name has to be 1 to 50 visible characters without commas.',
    );
  }
  return trimmed;
}

/** Checks a label that a draft asks for. */
export function checkDraftLabel(name: string): string {
  const checked = checkLabelName(name);
  if (isControlLabel(checked)) {
    throw new GatewrightError(
      'label-reserved',
      `The draft asks for the label "${checked}", which steers Gatewright itself.`,
    );
  }
  return checked;
}
