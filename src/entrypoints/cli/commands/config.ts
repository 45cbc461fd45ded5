/** `config validate`, `config show` and `config schema`. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeJsonSchema } from '../../../config/config-schema.ts';
import {
  type Config,
  inspectConfigFiles,
  loadConfig,
  repositoryFileName,
} from '../../../config/load-config.ts';
import { describeProblem } from '../../../config/read-config-file.ts';
import { settingRules } from '../../../config/setting-rules.ts';
import { secretVariables } from '../../../domain/machine/secret-variables.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Handler } from '../table/command.ts';

export const validateConfig: Handler = async (app, given) => {
  const named = given.args[0] === undefined ? null : resolve(given.args[0]);
  const { terminal } = app;
  if (named !== null && !existsSync(named))
    throw new GatewrightError('usage', `There is no file ${named}.`, { hint: 'Check the path.' });
  const files = inspectConfigFiles(app.config, await app.findRoot(given.text('repo')), named);
  const count = files.reduce((sum, { problems }) => sum + problems.length, 0);
  const code = count === 0 ? exitCodes.done.code : exitCodes.failed.code;
  if (given.flag('json')) {
    const shown = files.map(({ file, exists, problems }) => ({ file, exists, problems }));
    terminal.printJson({ isValid: count === 0, files: shown });
    return code;
  }
  for (const { file, exists, problems } of files) {
    for (const problem of problems) terminal.print(escapeForTerminal(describeProblem(file, problem)));
    if (problems.length === 0) terminal.print(`${file}: ${exists ? 'ok' : 'not there, which is fine'}`);
  }
  if (count > 0) terminal.say(`${count} ${count === 1 ? 'problem' : 'problems'}.`);
  return code;
};

interface ShownSetting {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
  readonly where: string;
}

/** Settings that no file may hold: from a variable or an option, else from the machine. */
function personalSettings(config: Config): ShownSetting[] {
  const values: Readonly<Record<string, unknown>> = {
    database: config.databaseFile,
    dataFolder: config.dataFolder,
    ledger: config.ledger,
    actor: config.actor,
    editor: config.editorCommands.find((command) => command.trim() !== '') ?? null,
    autoMode: config.autoMode,
    testMode: config.testMode,
    debug: config.isDebug,
  };
  return settingRules
    .filter(({ key }) => Object.hasOwn(values, key))
    .map(({ key, variables, option }) => {
      const variable = variables.find((name) => (config.environment[name] ?? '') !== '');
      const value = values[key];
      if (key === 'database' && config.isDatabaseGiven)
        return { key, value, from: 'option', where: option ?? '' };
      return variable === undefined
        ? { key, value, from: 'default', where: '' }
        : { key, value, from: 'environment', where: variable };
    });
}

function valueText(value: unknown): string {
  if (value === null) return '-';
  if (typeof value === 'object' && !Array.isArray(value)) return Object.keys(value).join(', ');
  if (!Array.isArray(value)) return String(value);
  return value.map((one: string | { name: string }) => (typeof one === 'string' ? one : one.name)).join(', ');
}

/** Whether each is set, and nothing more about it. */
function secretStates(config: Config): { name: string; isSet: boolean }[] {
  return secretVariables.map((name) => ({ name, isSet: (config.environment[name] ?? '').trim() !== '' }));
}

export const showConfig: Handler = async (app, given) => {
  const root = await app.findRoot(given.text('repo'));
  const config = loadConfig(app.config, root);
  const settings: ShownSetting[] = [
    ...[...config.settings].map(([key, { value, from, where }]) => ({ key, value, from, where })),
    ...personalSettings(config),
  ];
  const files = [
    { kind: 'user file', file: config.userFile },
    ...(root === null ? [] : [{ kind: 'repository file', file: join(root, repositoryFileName) }]),
    { kind: 'credentials file', file: config.credentialsFile },
  ].map((one) => ({ ...one, exists: existsSync(one.file) }));
  const secrets = secretStates(config);
  if (given.flag('json')) {
    app.terminal.printJson({ settings, files, secrets });
    return 0;
  }
  app.terminal.printTable([
    ['SETTING', 'VALUE', 'FROM', 'WHERE'],
    ...settings.map(({ key, value, from, where }) => [key, escapeForLine(valueText(value), 60), from, where]),
  ]);
  app.terminal.print();
  app.terminal.printTable(
    files.map(({ kind, file, exists }) => [kind, file, exists ? 'there' : 'not there']),
  );
  app.terminal.print();
  app.terminal.printTable(secrets.map(({ name, isSet }) => [name, isSet ? 'set' : 'not set']));
  return 0;
};

export const printSchema: Handler = async (app) => {
  app.terminal.printJson(makeJsonSchema());
  return 0;
};
