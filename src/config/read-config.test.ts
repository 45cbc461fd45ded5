import { describe, expect, it } from 'vitest';
import { thrownCode } from '../../test/support/thrown-code.ts';
import { specsOf, usualAgentModels } from '../domain/fleet/agent-models.ts';
import { loadConfig } from './load-config.ts';
import { readConfig } from './read-config.ts';
import { fileSettings, knownVariables, settingRules } from './setting-rules.ts';

const environment = { HOME: '/home/alice', USER: 'alice' };
const read = (more: Record<string, string> = {}, options: Parameters<typeof readConfig>[1] = {}) =>
  loadConfig(readConfig({ ...environment, ...more }, options), null);

describe('the models of the fleet', () => {
  const specs = (more: Record<string, string> = {}, options: Parameters<typeof readConfig>[1] = {}) =>
    specsOf(read(more, options).agentModels);

  it('are the usual ones unless somebody chooses, and a stronger one plans', () => {
    expect(specs()).toEqual(usualAgentModels);
    expect(specs().planner).not.toBe(specs().coder);
    expect(Object.values(read().agentModels).some(({ isChosen }) => isChosen)).toBe(false);
  });

  it('are chosen one by one, by variable and by option', () => {
    const chosen = { GATEWRIGHT_PLANNER: 'claude:fable', GATEWRIGHT_CODE_REVIEWER: 'google:gemini-x' };
    expect(specs(chosen)).toEqual({
      ...usualAgentModels,
      planner: 'claude:fable',
      reviewer: 'google:gemini-x',
    });
    expect(specs(chosen, { agents: { planner: 'claude:haiku' } }).planner).toBe('claude:haiku');
    expect(read(chosen).agentModels.planner.isChosen).toBe(true);
  });

  it('a recorded coder plans too, and says so, unless somebody else was chosen', () => {
    const recorded = { GATEWRIGHT_CODER: 'cassette:x.json' };
    expect(specs(recorded).planner).toBe('cassette:x.json');
    expect(read(recorded).settings.get('models.planner')).toMatchObject({
      value: 'cassette:x.json',
      from: 'default',
    });
    expect(specs({ ...recorded, GATEWRIGHT_PLANNER: 'claude:opus' }).planner).toBe('claude:opus');
  });
});

describe('the forge', () => {
  it('is local unless told otherwise; an option counts more than the environment', () => {
    expect(read().forge).toBe('local');
    expect(read({ GATEWRIGHT_FORGE: 'github' }).forge).toBe('github');
    expect(read({ GATEWRIGHT_FORGE: 'github' }, { forge: 'local' }).forge).toBe('local');
    expect(thrownCode(() => readConfig({ ...environment, GATEWRIGHT_FORGE: 'gitlab' }))).toBe(
      'config-invalid',
    );
  });

  it('is reached where the environment says', () => {
    const url = (more: Record<string, string>) => read(more, { forge: 'github' }).github.apiUrl;
    expect(url({})).toBe('https://api.github.com');
    expect(url({ GITHUB_API_URL: 'https://a.example/api/v3' })).toBe('https://a.example/api/v3');
    expect(url({ GITHUB_API_URL: 'https://a.example', GATEWRIGHT_GITHUB_URL: 'http://127.0.0.1:8080' })).toBe(
      'http://127.0.0.1:8080',
    );
  });

  it.each(['http://ghe.example/api/v3', 'https://user:pa55@ghe.example', 'ghe.example', 'file:///x'])(
    'is not reached over %s, and the value is not shown',
    (address) => {
      const { problem } = read({ GITHUB_API_URL: address }).github;
      expect(problem).toContain('GITHUB_API_URL has to be an https address');
      expect(problem).not.toContain('pa55');
    },
  );

  it('takes a token from either variable', () => {
    expect(read({ GITHUB_TOKEN: 'a', GH_TOKEN: 'b' }).github.token).toBe('a');
    expect(read({ GITHUB_TOKEN: '', GH_TOKEN: 'b' }).github.token).toBe('b');
    expect(read().github.token).toBe('');
  });
});

describe('the data folder', () => {
  it('is that of the database unless a variable names another', () => {
    const database = 'sqlite:/somewhere/records/gatewright.db';
    expect(readConfig({ HOME: '/home/me' }).dataFolder).toBe('/home/me/.local/share/gatewright');
    expect(readConfig({ GATEWRIGHT_DATABASE_URL: database }).dataFolder).toBe('/somewhere/records');
    const config = readConfig({ GATEWRIGHT_DATABASE_URL: database, GATEWRIGHT_DATA_DIR: '/fast/disk' });
    expect(config).toMatchObject({
      dataFolder: '/fast/disk',
      databaseFile: '/somewhere/records/gatewright.db',
    });
  });
});

describe('the table of settings', () => {
  const samples: Readonly<Record<string, string>> = {
    'forge.kind': 'github',
    'fleet.agents': 'reviewer',
    'budget.unpriced': 'refuse',
    'fleet.sandbox': 'require',
    'fleet.proof': 'enforce',
    'fleet.strategy': 'loop',
    'fleet.loopLabels': 'off',
    'fleet.setupHosts': 'packages.example.com:443',
    'fleet.tools': '~/tools/flutter',
  };
  const sample = (key: string): string => samples[key] ?? '1';

  it.each(fileSettings.flatMap(({ key, variables }) => variables.map((name) => [name, key] as const)))(
    '%s sets %s',
    (name, key) => {
      expect(read({ [name]: sample(key) }).settings.get(key)).toMatchObject({
        from: 'environment',
        where: name,
      });
    },
  );

  it('names a way for everything that a file may not set freely', () => {
    for (const rule of settingRules.filter(({ repository }) => repository !== 'set')) {
      const ways = [...rule.variables, rule.option ?? '', rule.userFile ? 'file' : ''].join('');
      expect(ways, rule.key).not.toBe('');
    }
    expect(new Set(knownVariables).size).toBe(knownVariables.length);
  });

  it('general models speak for all workflows, unless one has its own', () => {
    const { models, settings } = read({ GATEWRIGHT_REVIEWER: 'google:gemini-x' });
    expect(models).toEqual({
      issue: { drafter: 'builtin:outline', reviewer: 'google:gemini-x' },
      lld: { drafter: 'builtin:outline', reviewer: 'google:gemini-x' },
    });
    expect(settings.get('models.lld.reviewer')?.where).toBe('GATEWRIGHT_REVIEWER');
  });
});
