/** Writes what comes from code: the pages on errors, commands, agents, labels and approving, the table of settings, the schemas of files. `--check` only compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeJsonSchema } from '../src/config/config-schema.ts';
import { type RepositoryMay, type SettingRule, settingRules } from '../src/config/setting-rules.ts';
import { exitCodes } from '../src/entrypoints/cli/exit-codes.ts';
import type { Command, Option } from '../src/entrypoints/cli/table/command.ts';
import { optionAbout, optionText, usageLine } from '../src/entrypoints/cli/table/help.ts';
import { commands, globalOptions } from '../src/entrypoints/cli/table/table.ts';
import { errorCatalogue } from '../src/errors.ts';
import { makePrdJsonSchema } from '../src/workflows/loop/rules/document/prd-schema.ts';
import { makeStateJsonSchema } from '../src/workflows/pipeline/rules/document/state-schema.ts';
import { actionsLintPage } from './actions-lint-page.ts';
import { approvingPage } from './approving-page.ts';
import { agentsPage, labelsPage } from './fleet-pages.ts';
import { makeNotificationJsonSchema } from './notification-schema.ts';
import { cell, note } from './page-parts.ts';
import { pathsPage } from './path-page.ts';

const root = join(import.meta.dirname, '..');

const retries = { never: 'no', later: 'yes, later', 'after-human': 'after you did something' } as const;

function errorsPage(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { meaning, hint, retry }]) =>
      `| \`${code}\` | ${cell(meaning)} | ${retries[retry]} | ${cell(hint)} |`,
  );
  return [
    '# Errors',
    note,
    'Every error has a code, shown in brackets under the message and as `error.code` with `--json`. Messages may change; codes do not.',
    ['| code | what it means | does trying again help? | what to do |', '|---|---|---|---|', ...rows].join(
      '\n',
    ),
  ].join('\n\n');
}

function optionRows(options: readonly Option[]): string {
  const rows = options.map((option) => `| \`${cell(optionText(option))}\` | ${cell(optionAbout(option))} |`);
  return ['| option | what it does |', '|---|---|', ...rows].join('\n');
}

function commandSection(command: Command): string {
  const args = (command.args ?? []).map(
    ({ name, about, oneOf }) =>
      `- \`${name}\`: ${about}${oneOf === undefined ? '' : ` (${oneOf.join(', ')})`}`,
  );
  return [
    `## gatewright ${command.name}`,
    `${command.about}.${command.more === undefined ? '' : ` ${command.more}`}`,
    `\`\`\`text\n${usageLine(command)}\n\`\`\``,
    args.join('\n'),
    (command.options ?? []).length === 0 ? '' : optionRows(command.options ?? []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function cliPage(): string {
  const codes = Object.values(exitCodes).map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  return [
    '# The command line',
    note,
    'Results go to standard output, progress to standard error. Questions are asked only on a terminal; `--no-input` and `--json` never ask. A wait of more than a second says what is waited for and how long: as one line that moves on a screen, elsewhere as a plain line now and then. Colours follow `NO_COLOR`.',
    `## Everywhere\n\n${optionRows(globalOptions)}`,
    `## Exit codes\n\n${['| code | meaning |', '|---|---|', ...codes].join('\n')}`,
    ...commands.map(commandSection),
  ].join('\n\n');
}

const mays: Readonly<Record<RepositoryMay, string>> = {
  set: 'yes',
  lower: 'only to lower it',
  add: 'only to add to it',
  'leave-out': 'only to leave some out',
  tighten: 'only to be stricter',
  'set-model': 'a provider’s model',
  'set-remote': 'only one of the git remotes',
  not: 'no',
};

function settingRow({ key, about, repository, userFile, variables, option, fallback }: SettingRule): string {
  const names = [...variables, ...(option === null ? [] : [option])].map((name) => `\`${name}\``).join(', ');
  const usual = [fallback ?? []].flat().map((one) => `\`${one}\``);
  return `| \`${key}\` | ${cell(about)} | ${usual.join(', ')} | ${mays[repository]} | ${userFile ? 'yes' : 'no'} | ${names} |`;
}

/** The part of a page that a person writes, with the generated part put in at its marks. */
function withReference(path: string): string {
  const [begin, end] = ['<!-- settings: made by `npm run docs` -->', '<!-- end of settings -->'];
  const text = readFileSync(join(root, path), 'utf8');
  const table = [
    '| setting | what it is | default | repository file | user file | variable, option |',
    '|---|---|---|---|---|---|',
    ...settingRules.map(settingRow),
  ].join('\n');
  const [before = '', rest = ''] = text.split(begin);
  return `${before}${begin}\n\n${table}\n\n${end}${rest.split(end)[1] ?? ''}`.trimEnd();
}

const pages = {
  'docs/actions-lint.md': actionsLintPage(),
  'docs/errors.md': errorsPage(),
  'docs/cli.md': cliPage(),
  'docs/agents.md': agentsPage(),
  'docs/labels.md': labelsPage(),
  'docs/approving.md': approvingPage(),
  'docs/path-classes.md': pathsPage(),
  'docs/configuration.md': withReference('docs/configuration.md'),
  'docs/gatewright.config.schema.json': JSON.stringify(makeJsonSchema(), null, 2),
  'docs/issue-state.schema.json': JSON.stringify(makeStateJsonSchema(), null, 2),
  'docs/notification.schema.json': JSON.stringify(makeNotificationJsonSchema(), null, 2),
  'docs/prd.schema.json': JSON.stringify(makePrdJsonSchema(), null, 2),
};
const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of Object.entries(pages)) {
  const file = join(root, path);
  if (!isCheck) writeFileSync(file, `${text}\n`);
  else if (readFileSync(file, 'utf8') !== `${text}\n`) {
    stale += 1;
    process.stderr.write(`${path} does not match the code; run: npm run docs\n`);
  }
}
process.exitCode = stale > 0 ? 1 : 0;
