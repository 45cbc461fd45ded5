/** Shows what `init` would do. */
import { schemaFile } from '../../config/propose-config.ts';
import type { SetupPlan } from '../../dispatch/set-up-repository.ts';
import { lineDifference } from '../../domain/line-difference.ts';
import { escapeForLine, escapeForTerminal } from '../../domain/untrusted-text.ts';
import type { Terminal } from './terminal.ts';

/** Long files are shown by their beginning. */
const shownLines = 30;

function indent(lines: readonly string[]): string {
  const more = lines.length - shownLines;
  return [
    ...lines.slice(0, shownLines).map((line) => `      ${escapeForTerminal(line)}`),
    ...(more > 0 ? [`      … ${more} more lines`] : []),
  ].join('\n');
}

export function showPlan(
  terminal: Terminal,
  plan: SetupPlan,
  place: { readonly repository: string; readonly root: string; readonly forge: string },
): void {
  terminal.print(`Files in ${escapeForLine(place.root, 1000)}`);
  for (const { path, content, state, existing, keeps } of plan.files) {
    if (state === 'there')
      terminal.print(existing === null ? `  = ${keeps ?? path}/ (there)` : `  = ${path} (there)`);
    else if (state === 'new' && path === schemaFile)
      terminal.print(`  + ${path} (for editors: what may stand in the file above)`);
    else if (state === 'new') {
      terminal.print(`  + ${path}`);
      if (content !== '') terminal.print(indent(content.trimEnd().split('\n')));
    } else {
      terminal.print(`  ! ${path} (there, and left as it is; by hand, if you want it:)`);
      terminal.print(indent(lineDifference(existing ?? '', content)));
    }
  }
  const where = place.forge === 'local' ? 'the local forge' : 'GitHub';
  terminal.print(`Labels of ${place.repository} on ${where}`);
  for (const { name, colour, description, state } of plan.labels.filter((one) => one.state === 'new'))
    terminal.print(
      `  ${state === 'new' ? '+' : '='} ${escapeForLine(name).padEnd(20)}  #${colour}  ${escapeForLine(description)}`,
    );
  for (const { name, colour, existingColour } of plan.labels.filter((one) => one.state === 'differs'))
    terminal.print(
      `  ! ${escapeForLine(name)} has the colour #${existingColour} and keeps it (not #${colour})`,
    );
  const there = plan.labels.filter(({ state }) => state === 'there').length;
  if (there > 0) terminal.print(`  = ${there} there`);
}

export function planAsJson({ files, labels }: SetupPlan) {
  return {
    files: files.map(({ path, state, content, existing }) => ({
      path,
      state,
      ...(state === 'new' ? { content } : {}),
      ...(state === 'differs' ? { difference: lineDifference(existing ?? '', content) } : {}),
    })),
    labels: labels.map(({ name, colour, description, state }) => ({ name, colour, description, state })),
  };
}
