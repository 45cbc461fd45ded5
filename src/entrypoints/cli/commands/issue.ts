/** `issue`: a brief becomes a filed issue. */
import { join, resolve } from 'node:path';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import type { House } from '../../../runs/house.ts';
import { titleOf } from '../../../workflows/authoring/issue/read-brief.ts';
import { readBriefSource } from '../../../workflows/authoring/run-source.ts';
import { runAuthoring } from '../run-authoring.ts';
import type { Handler } from '../table/command.ts';
import { block } from '../views/progress-view.ts';
import type { Terminal } from '../views/terminal.ts';

async function selectIdea(house: House, terminal: Terminal, isTestMode: boolean): Promise<string | null> {
  const folder = 'ideas/active';
  const names = (await house.repository.listFolder(folder))
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .sort();
  if (names.length === 0) {
    throw new GatewrightError('brief-not-found', `There is no idea in ${folder}/.`, {
      hint: `Write one as ${folder}/my-idea.md and try again.`,
    });
  }
  if (isTestMode) return join(folder, names[0] ?? '');
  if (!terminal.isInteractive)
    throw new GatewrightError('usage', '--select needs a terminal; use --brief FILE.');
  block(terminal, `Select Idea from ${folder}/`);
  for (const [index, name] of names.entries()) {
    terminal.say(`  [${index + 1}] ${escapeForLine(name)}`);
    terminal.say(
      `      ${titleOf((await house.repository.readText(`${folder}/${name}`)) ?? '') ?? '(empty)'}`,
    );
  }
  terminal.say('\n  [q] Quit\n');
  const keys = names.map((_, index) => String(index + 1));
  for (;;) {
    const answer = ((await terminal.ask(`Select idea [1-${names.length}, q]: `)) ?? 'q').trim().toLowerCase();
    if (answer === 'q') return null;
    const index = keys.indexOf(answer);
    if (index >= 0) return join(folder, names[index] ?? '');
    terminal.say(`Please answer with a number from 1 to ${names.length}, or q.`);
  }
}

export const runIssue: Handler = async (app, given) => {
  const ways =
    ['brief', 'resume'].filter((name) => given.text(name) !== null).length + (given.flag('select') ? 1 : 0);
  if (ways > 1) throw new GatewrightError('usage', 'Give one of --brief, --select and --resume.');
  if (ways === 0 && !app.config.testMode)
    throw new GatewrightError('usage', 'Give one of --brief FILE, --select or --resume FILE.');
  return runAuthoring(app, given, {
    workflow: 'issue',
    readSource: async (house) => {
      const brief = given.text('brief');
      const picked = brief ?? (await selectIdea(house, app.terminal, app.config.testMode));
      if (picked === null) return null;
      const file = brief === null ? join(house.repository.root, picked) : resolve(picked);
      return readBriefSource(house, file, given.text('slug'));
    },
  });
};
