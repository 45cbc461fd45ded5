/** Says which of the wanted changes changed nothing. A person who sees only an address would think that all of them did. */
import { nearestWord } from '../../../../domain/text/nearest-word.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import type { Terminal } from '../../views/terminal.ts';
import type { Sorting } from './forge-arguments.ts';

interface Sorted {
  readonly number: number;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
}

/** The forge keeps the spelling of what it knows: a label is the same in capitals. */
function holds(names: readonly string[], name: string): boolean {
  return names.some((one) => one.toLowerCase() === name.trim().toLowerCase());
}

function describeMissing(labels: readonly string[], name: string): string {
  const guess = nearestWord(name.trim().toLowerCase(), labels);
  return guess === null ? '' : ` Did you mean "${guess}"?`;
}

/** A line for each label and assignee that was already as wanted, or that the forge left out. */
function listUnchanged(before: Sorted, after: Sorted, sorting: Sorting): string[] {
  const { number } = before;
  return [
    ...sorting.addLabels
      .filter((name) => holds(before.labels, name))
      .map((name) => `#${number} has the label "${name}" already.`),
    ...sorting.removeLabels
      .filter((name) => !holds(before.labels, name) && !holds(sorting.addLabels, name))
      .map((name) => `#${number} does not have the label "${name}".${describeMissing(before.labels, name)}`),
    ...sorting.addAssignees
      .filter((name) => holds(before.assignees, name))
      .map((name) => `#${number} is assigned to ${name} already.`),
    ...sorting.addAssignees
      .filter((name) => !holds(after.assignees, name) && !holds(sorting.removeAssignees, name))
      .map(
        (name) =>
          `${name} was not assigned: only a person with a permission here, or one who commented on #${number}, can be. See: gatewright forge permission list`,
      ),
    ...sorting.removeAssignees
      .filter((name) => !holds(before.assignees, name) && !holds(sorting.addAssignees, name))
      .map((name) => `#${number} is not assigned to ${name}.`),
  ];
}

export function tellUnchanged(terminal: Terminal, before: Sorted, after: Sorted, sorting: Sorting): void {
  for (const line of listUnchanged(before, after, sorting)) terminal.say(escapeForLine(line, 500));
}
