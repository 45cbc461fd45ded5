/** Every label string that Gatewright knows stands here, and here only. */
import { GatewrightError } from '../errors.ts';
import { hasUnsafeCharacters } from './untrusted-text.ts';

/** Colour of a label that a draft asks for and nobody defined: GitHub's own neutral grey. */
export const defaultLabelColour = 'ededed';

interface KnownLabel {
  readonly name: string;
  readonly colour: string;
  /** What it tells people; those without one are known and not made by `init`. */
  readonly description: string;
  /** Whether it makes agents act. */
  readonly steers: boolean;
}

function label(name: string, colour: string, description: string): KnownLabel {
  return { name, colour, description, steers: false };
}

function steering(name: string, colour: string, description: string): KnownLabel {
  return { name, colour, description, steers: true };
}

const knownLabels: readonly KnownLabel[] = [
  label('bug', 'd73a4a', 'Something does not work as it should'),
  label('feature', 'a2eeef', 'Something new that people can do'),
  label('chore', 'c5def5', 'Upkeep that users do not see'),
  label('security', 'ee0701', 'Concerns secrets, access or attacks'),
  label('documentation', '0075ca', 'Concerns what people read'),
  label('question', 'd876e3', 'Waits for an answer'),
  steering('auto-merge', '0e8a16', 'May be merged without a person, once it is reviewed'),
  steering('needs-review', 'fbca04', 'A person has to review it before it is merged'),
  label('blocked', 'b60205', 'Cannot go on without a person'),
  steering('planning', '0052cc', 'A plan is wanted first, and no code yet'),
  steering('claude-working', '0969da', 'An agent is working on it'),
  steering('hold', 'e99695', 'Nothing may happen to it until this is removed'),
  steering('conflict', 'd93f0b', 'Does not merge as it is'),
  steering('stale', 'cfd3d7', 'Nothing has happened for a long time'),
  label('daily-digest', 'bfdadc', 'A digest; gardening leaves it alone'),
  label('agent-health-report', 'bfdadc', 'A report on the agents; gardening leaves it alone'),
  label('gardener-report', 'bfdadc', 'A report of the gardener; gardening leaves it alone'),
  steering('template_sync', 'bfd4f2', 'Brings files of a template; its size is not judged'),
  steering('AI', '7057ff', 'Asks for a plan'),
  steering('AI: Planning', 'd4c5f9', 'The plan is being made'),
  steering('AI: Approved', '0e8a16', 'The plan is approved'),
  steering('AI: In Progress', 'fbca04', 'The plan is being carried out'),
  steering('AI: Testing', 'c2e0c6', 'Done; waits for a person to try it'),
  steering('AI: Blocked', 'b60205', 'Stopped; a person is needed'),
  steering('AI: Review', '1d76db', 'Tried and ready for review'),
  steering('AI: Complete', '0e8a16', 'Merged and closed'),
  label('enhancement', 'a2eeef', ''),
  steering('agent', defaultLabelColour, ''),
  steering('ready-to-implement', '00ff00', ''),
];

/** The labels that a repository is set up with. */
export const standardLabels: readonly Omit<KnownLabel, 'steers'>[] = knownLabels
  .filter(({ description }) => description !== '')
  .map(({ name, colour, description }) => ({ name, colour, description }));

function findKnown(name: string): KnownLabel | undefined {
  const plain = name.trim().toLowerCase();
  return knownLabels.find((one) => one.name.toLowerCase() === plain);
}

/** Labels that make agents act. A draft, whoever wrote it, may not carry one. */
export function isControlLabel(name: string): boolean {
  const plain = name.trim().toLowerCase();
  return findKnown(name)?.steers === true || plain === 'ai' || plain.startsWith('ai:');
}

export function labelColour(name: string): string {
  return findKnown(name)?.colour ?? defaultLabelColour;
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
