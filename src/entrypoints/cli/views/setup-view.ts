/** Shows what `init` and `labels sync` would do. */

import { schemaFile } from '../../../config/propose-config.ts';
import { localSettingsPath } from '../../../domain/machine/local-settings.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import type { SetupPlan } from '../../../setup/set-up-repository.ts';
import { lineDifference } from './line-difference.ts';
import type { Terminal } from './terminal.ts';

/** Long files are shown by their beginning. */
const shownLines = 30;

function indent(lines: readonly string[]): string {
  const more = lines.length - shownLines;
  return [
    ...lines.slice(0, shownLines).map((line) => `      ${escapeForTerminal(line)}`),
    ...(more > 0 ? [`      … ${countOf(more, 'more line')}`] : []),
  ].join('\n');
}

export async function showPlan(
  terminal: Terminal,
  plan: SetupPlan,
  place: { readonly repository: string; readonly root: string; readonly forge: string },
): Promise<void> {
  terminal.print(`Files in ${escapeForLine(place.root, 1000)}`);
  for (const { path, content, state, existing, keeps } of plan.files) {
    if (state === 'there')
      terminal.print(existing === null ? `  = ${keeps ?? path}/ (exists)` : `  = ${path} (there)`);
    else if (state === 'new' && path === schemaFile)
      terminal.print(`  + ${path} (for editors: the settings of the file above)`);
    else if (state === 'new') {
      terminal.print(`  + ${path}`);
      if (content !== '') terminal.printExactly(indent(content.trimEnd().split('\n')));
    } else {
      terminal.print(
        state === 'changes'
          ? `  ~ ${path} (changes as you asked:)`
          : `  ! ${path} (exists, and is not changed; add this by hand if you want it:)`,
      );
      terminal.printExactly(indent(lineDifference(existing ?? '', content)));
    }
  }
  showSettings(terminal, plan.settings);
  await showLabels(terminal, plan.labels, place);
}

/** They are not a file of the repository, so a person should know where they are and why. */
function showSettings(terminal: Terminal, settings: SetupPlan['settings']): void {
  if (settings === null) return;
  terminal.print('Your own settings for this repository (not committed; they name programs to start)');
  const path = `.git/${localSettingsPath}`;
  if (settings.state === 'there') terminal.print(`  = ${path} (there)`);
  else {
    terminal.print(`  ${settings.state === 'new' ? '+' : '~'} ${path}`);
    const { existing, content } = settings;
    terminal.printExactly(
      indent(existing === null ? content.trimEnd().split('\n') : lineDifference(existing, content)),
    );
  }
}

/** What keeps another look or text than we would give it. */
function describeDifference({ name, colour, description, existing }: SetupPlan['labels'][number]): string {
  const colours =
    existing?.colour.toLowerCase() === colour.toLowerCase()
      ? []
      : [`the colour #${existing?.colour} (not #${colour})`];
  const texts =
    existing?.description === description
      ? []
      : [
          existing?.description === ''
            ? `no description (not "${description}")`
            : `the description "${existing?.description}" (not "${description}")`,
        ];
  return `  ! ${escapeForLine(name)} keeps ${escapeForLine([...colours, ...texts].join(' and '), 300)}`;
}

/** A label that is made, or would be. */
function describeNew({ name, colour, description }: SetupPlan['labels'][number]): string {
  return `  + ${escapeForLine(name).padEnd(20)}  #${colour}  ${escapeForLine(description)}`;
}

/** Shows every label once: a new one as soon as `make` reports it, or all at once when nothing is made. */
export async function showLabels(
  terminal: Terminal,
  labels: SetupPlan['labels'],
  place: { readonly repository: string; readonly forge: string },
  make?: (onMade: (label: SetupPlan['labels'][number]) => void) => Promise<void>,
): Promise<void> {
  const where = place.forge === 'local' ? 'the local forge' : 'GitHub';
  terminal.print(`Labels of ${place.repository} on ${where}`);
  if (make !== undefined) await make((label) => terminal.print(describeNew(label)));
  else for (const label of labels) if (label.state === 'new') terminal.print(describeNew(label));
  for (const label of labels.filter(({ state }) => state === 'differs'))
    terminal.print(describeDifference(label));
  const there = labels.filter(({ state }) => state === 'there').length;
  if (there > 0) terminal.print(`  = ${there} there`);
}

export function labelsAsJson(labels: SetupPlan['labels']) {
  return labels.map(({ name, colour, description, state, existing }) => ({
    name,
    colour,
    description,
    state,
    ...(state === 'differs' ? { existing } : {}),
  }));
}

export function planAsJson({ files, labels, settings }: SetupPlan) {
  return {
    files: files.map(({ path, state, content, existing }) => ({
      path,
      state,
      ...(state === 'new' ? { content } : {}),
      ...(state === 'differs' || state === 'changes'
        ? { difference: lineDifference(existing ?? '', content) }
        : {}),
    })),
    labels: labelsAsJson(labels),
    settings: settings === null ? null : { state: settings.state, content: settings.content },
  };
}
