/** `issue`: a brief becomes a filed issue. */
import { join, resolve } from 'node:path';
import { makeSlug } from '../../../domain/drafts/slug.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import type { House } from '../../../runs/house.ts';
import { performSetup } from '../../../setup/set-up-repository.ts';
import { titleOf } from '../../../workflows/authoring/issue/read-brief.ts';
import { readBriefSource } from '../../../workflows/authoring/run-source.ts';
import { runAuthoring } from '../run-authoring.ts';
import type { Given, Handler } from '../table/command.ts';
import { block } from '../views/progress-view.ts';
import { isTerminal, type Terminal } from '../views/terminal.ts';

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
    const title = titleOf((await house.repository.readText(`${folder}/${name}`)) ?? '');
    terminal.say(`      ${title === null ? '(empty)' : escapeForLine(title)}`);
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

/** Larger than any brief that is accepted; the rest is not read. */
const largestInput = 2 * 1024 * 1024;

async function readInput(terminal: Terminal): Promise<string> {
  if (isTerminal(0)) terminal.say('Type the brief; an empty line and Ctrl-D end it.');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > largestInput) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A brief that comes on standard input becomes an idea in the repository, so that the run can be resumed by its name. */
async function keepBrief(house: House, terminal: Terminal, given: Given): Promise<string> {
  if (given.flag('dry-run'))
    throw new GatewrightError(
      'usage',
      'A dry run makes no files, so it cannot take the brief from standard input.',
      {
        hint: 'Put the brief into a file and name it: --brief FILE',
      },
    );
  const content = await readInput(terminal);
  const title = titleOf(content);
  if (title === null)
    throw new GatewrightError('brief-empty', 'Standard input holds no brief.', {
      hint: 'Pipe the brief in: gatewright issue --brief - < notes.md',
    });
  const path = `ideas/active/${makeSlug(given.text('slug') ?? title)}.md`;
  const existing = await house.repository.readText(path);
  if (existing !== null && existing !== content)
    throw new GatewrightError('file-conflict', `${path} exists with another text.`, {
      hint: 'Give the new brief another name with --slug NAME, or continue the old one with --brief FILE.',
    });
  if (existing === null) {
    const file = { path, content, state: 'new', existing: null } as const;
    await performSetup(house, { files: [file], labels: [], settings: null, isNeeded: true }, () => undefined);
    terminal.say(`Brief saved to: ${path}`);
  }
  return join(house.repository.root, path);
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
      const file =
        brief === '-'
          ? await keepBrief(house, app.terminal, given)
          : brief === null
            ? join(house.repository.root, picked)
            : resolve(picked);
      return readBriefSource(house, file, given.text('slug'));
    },
  });
};
