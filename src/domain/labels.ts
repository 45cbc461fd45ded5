/** Every label string that Gatewright knows stands here, and here only. */
import { GatewrightError } from '../errors.ts';
import { hasUnsafeCharacters } from './untrusted-text.ts';

/** Colour of a label that a draft asks for and nobody defined: GitHub's own neutral grey. */
export const defaultLabelColour = 'ededed';

const knownColours: Readonly<Record<string, string>> = {
  bug: 'd73a4a',
  documentation: '0075ca',
  enhancement: 'a2eeef',
  feature: 'a2eeef',
  chore: 'c5def5',
  security: 'ee0701',
};

/** Labels that make agents act. A draft, whoever wrote it, may not carry one. */
const controlLabels: readonly string[] = [
  'auto-merge',
  'needs-review',
  'planning',
  'claude-working',
  'template_sync',
  'stale',
  'conflict',
  'hold',
  'agent',
  'ready-to-implement',
];

export function isControlLabel(name: string): boolean {
  const plain = name.trim().toLowerCase();
  return controlLabels.includes(plain) || plain === 'ai' || plain.startsWith('ai:');
}

export function labelColour(name: string): string {
  const plain = name.toLowerCase();
  return (Object.hasOwn(knownColours, plain) ? knownColours[plain] : undefined) ?? defaultLabelColour;
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
