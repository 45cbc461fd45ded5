/** Labels in words: for the screen and for the documentation, from the one table. */
import { type KnownLabel, labelTable } from '../../../domain/forge/label-table.ts';

/** Gatewright itself may set and remove all of them. */
const rightWords = {
  gatewright: 'Gatewright only',
  writer: 'write permission',
  anybody: 'every account that may set labels',
} as const;

export function rightText(right: KnownLabel['setBy']): string {
  return rightWords[right];
}

export function isMade({ description }: KnownLabel): boolean {
  return description !== '';
}

export function labelRows(): string[][] {
  return [
    ['LABEL', 'KIND', 'SET BY', 'READ BY', 'MEANING'],
    ...labelTable.map((label) => [
      label.name,
      label.kind,
      rightText(label.setBy),
      label.readBy.join(', ') || 'other tools',
      isMade(label) ? label.description : '(known, and not made)',
    ]),
  ];
}
