/** What `loop close --preview` shows: the report, the files, the pull request, and what speaks against closing. */
import { escapeForLine, escapeForTerminal } from '../../../../domain/text/untrusted-text.ts';
import type { previewClose } from '../../../../workflows/loop/look-at-loop.ts';
import type { App } from '../../app.ts';
import type { Given } from '../../table/command.ts';

export function showClosing(
  app: App,
  given: Given,
  preview: Awaited<ReturnType<typeof previewClose>>,
): number {
  const { terminal } = app;
  if (given.flag('json')) {
    terminal.printJson(preview);
    return 0;
  }
  if (preview.isClosed) {
    terminal.print(`It is closed already: pull request #${preview.pullRequest.number}.`);
    return 0;
  }
  const { open, isTested, needsForce, report, archive, removes, pullRequest } = preview;
  terminal.print('Closing would post this report on the issue:\n');
  terminal.print(escapeForTerminal(report));
  terminal.print(`add to the branch    ${archive.join('\n                     ')}`);
  terminal.print(`remove from it       ${removes}`);
  terminal.print(`open a pull request  ${escapeForLine(pullRequest.title, 200)}`);
  terminal.print(`                     from ${pullRequest.head} to ${pullRequest.base}`);
  if (open.length > 0) terminal.say(`Not done yet: ${open.join(', ')}.`);
  if (!isTested) terminal.say('No person has said yet that it works.');
  if (needsForce) terminal.say('Closing it now needs --force.');
  terminal.say('Nothing was changed.');
  return 0;
}
