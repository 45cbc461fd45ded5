/** That a machine steers the program by nothing but keys: no address of a service, no setting that only a test would have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Chain } from './chain.ts';
import { userSettings } from './story.ts';
import { allowedVariables } from './user-machine.ts';

interface Shown {
  readonly settings: readonly { readonly key: string; readonly from: string }[];
}

/** Settings that are not built in, with where they come from; the models are those that `init` itself proposed. */
const known = [
  'actor: environment',
  ...['', 'issue.', 'lld.'].flatMap((workflow) =>
    ['drafter', 'reviewer'].map((role) => `models.${workflow}${role}: repository file`),
  ),
  'forge.kind: repository file',
];

/**
 * @param settings what the person has set
 * @param kept what `init` found for this repository and kept for the person
 */
export async function expectNoOverrides(
  { machine, finish }: Pick<Chain, 'machine' | 'finish'>,
  settings: { readonly fleet?: object } = userSettings,
  kept: readonly string[] = [],
): Promise<void> {
  const given = new Set(machine.environments.flatMap((variables) => Object.keys(variables)));
  expect([...given].filter((name) => !allowedVariables.includes(name))).toEqual([]);
  const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));
  expect(read(machine.home, '.config/gatewright/config.json')).toEqual(settings);
  expect(read(machine.project, 'gatewright.config.json')).toEqual({
    $schema: './.gatewright/config.schema.json',
    forge: { kind: 'github' },
    models: { drafter: 'claude:default', reviewer: 'google:gemini-2.5-pro' },
  });
  const shown = await finish('config', 'show', '--json');
  const all = (JSON.parse(shown.stdout) as Shown).settings;
  const set = all.filter(({ from }) => from !== 'default').map(({ key, from }) => `${key}: ${from}`);
  const own = [...Object.keys(settings.fleet ?? {}).map((key) => `fleet.${key}`), ...kept];
  expect(set.toSorted()).toEqual([...known, ...own.map((key) => `${key}: user file`)].toSorted());
}
