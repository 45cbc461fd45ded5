/** What a file may set, and what it may not: the file of a repository is text that anybody's pull request can change. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewrightError } from '../errors.ts';
import { makeJsonSchema } from './config-schema.ts';
import { inspectConfigFiles, loadConfig, loadConfigLeniently } from './load-config.ts';
import { readConfig } from './read-config.ts';
import { fileSettings } from './setting-rules.ts';

let folder = '';
let root = '';
let userFile = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-config-'));
  root = join(folder, 'project');
  userFile = join(folder, 'home/gatewright/config.json');
  mkdirSync(root);
  mkdirSync(join(folder, 'home/gatewright'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content, null, 2));
const repository = (content: unknown) => writeFileSync(join(root, 'gatewright.config.json'), text(content));
const user = (content: unknown) => writeFileSync(userFile, text(content));

function base(more: Record<string, string> = {}, options: Parameters<typeof readConfig>[1] = {}) {
  return readConfig({ HOME: folder, XDG_CONFIG_HOME: join(folder, 'home'), USER: 'alice', ...more }, options);
}

const load = (...given: Parameters<typeof base>) => loadConfig(base(...given), root);

function failureOf(work: () => unknown): GatewrightError {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewrightError) return error;
    throw error;
  }
  throw new Error('expected a GatewrightError');
}

/** The refusal of the repository's file, as one text. */
function refusal(content: unknown, ...given: Parameters<typeof base>): string {
  repository(content);
  const failure = failureOf(() => load(...given));
  expect(failure.code).toBe('config-invalid');
  return failure.details.join('\n');
}

describe('layers', () => {
  it('default < user file < repository file < environment < option, each with where it comes from', () => {
    const from = (...given: Parameters<typeof base>) => {
      const found = load(...given).settings.get('forge.kind');
      return [found?.value, found?.from];
    };
    expect(from()).toEqual(['local', 'default']);
    user({ forge: { kind: 'github' } });
    expect(from()).toEqual(['github', 'user file']);
    repository({ forge: { kind: 'local' } });
    expect(from()).toEqual(['local', 'repository file']);
    expect(from({ GATEWRIGHT_FORGE: 'github' })).toEqual(['github', 'environment']);
    expect(from({ GATEWRIGHT_FORGE: 'github' }, { forge: 'local' })).toEqual(['local', 'option']);
    expect(load().settings.get('forge.kind')?.where).toBe(`${join(root, 'gatewright.config.json')}:3`);
  });

  it('a workflow may have models of its own; a later layer counts more than a more exact key', () => {
    user({ models: { drafter: 'claude:opus', lld: { drafter: 'claude:sonnet', reviewer: 'google:g1' } } });
    expect(load().models).toEqual({
      issue: { drafter: 'claude:opus', reviewer: 'builtin:checklist' },
      lld: { drafter: 'claude:sonnet', reviewer: 'google:g1' },
    });
    repository({ models: { drafter: 'anthropic:claude-x' } });
    expect(load().models.lld).toEqual({ drafter: 'anthropic:claude-x', reviewer: 'google:g1' });
  });

  it('without any file nothing is needed, and a broken one can be left out to look further', () => {
    expect(load().settings.get('limits.iterations')).toMatchObject({ value: 20, from: 'default' });
    repository('{');
    user({ limits: { iterations: 7 } });
    expect(loadConfigLeniently(base(), root).maxIterations).toBe(7);
  });
});

describe('the file of a repository may not', () => {
  it.each(['cassette:yes.json', 'builtin:checklist'])('make %s the reviewer', (reviewer) => {
    for (const models of [{ reviewer }, { issue: { reviewer } }, { lld: { reviewer } }]) {
      const said = refusal({ models });
      expect(said).toContain('gatewright.config.json:');
      expect(said).toMatch(/models\.(issue\.|lld\.)?reviewer: a repository file may not choose/u);
      expect(said).toContain(userFile);
    }
    // Whoever chooses the same themselves has decided it.
    expect(load({ GATEWRIGHT_REVIEWER: reviewer }).models.lld.reviewer).toBe(reviewer);
    expect(load({}, { reviewer }).models.lld.reviewer).toBe(reviewer);
    user({ models: { reviewer } });
    expect(load().models.lld.reviewer).toBe(reviewer);
    user({ models: { reviewer: 'google:gemini-x' } });
    expect(failureOf(() => load()).code).toBe('config-invalid');
  });

  it.each([
    ['coder', 'google:gemini-x'],
    ['planner', 'google:gemini-x'],
    ['planner', 'builtin:outline'],
    ['codeReviewer', 'builtin:checklist'],
    ['writer', 'builtin:outline'],
    ['reviewer', 'claude:opus'],
    ['planner', 'cassette:yes.json'],
  ])('make as models.%s one that cannot do it, or a recording: %s', (role, model) => {
    expect(refusal({ models: { [role]: model } })).toContain(`models.${role}: `);
  });

  it('hide one model behind two names: the family has to be known', () => {
    for (const model of ['openai:alias-1', 'google:x', 'anthropic:mine'])
      expect(refusal({ models: { drafter: model, reviewer: model } })).toMatch(
        /drafter: a repository file may not choose a model of no known family.+\n.+reviewer: /u,
      );
    repository({ models: { drafter: 'claude:whatever', reviewer: 'openai:o3-mini' } });
    expect(load().models.issue.reviewer).toBe('openai:o3-mini');
    repository({ models: { reviewer: 'openai:our-own' } });
    expect(load({ GATEWRIGHT_REVIEWER: 'openai:our-own' }).models.issue.reviewer).toBe('openai:our-own');
  });

  it('make a recording the drafter, which would also read any file it names', () => {
    expect(refusal({ models: { drafter: 'cassette:../../etc/passwd' } })).toContain('models.drafter');
    repository({ models: { drafter: 'builtin:outline' } });
    expect(load().models.issue.drafter).toBe('builtin:outline');
  });

  it('send the token elsewhere, whatever the address', () => {
    for (const apiUrl of ['https://evil.example/api/v3', 'https://api.github.com', 7])
      expect(refusal({ forge: { apiUrl } })).toContain('your token would be sent there');
    rmSync(join(root, 'gatewright.config.json'));
    user({ forge: { apiUrl: 'https://ghe.example/api/v3' } });
    expect(load().github.apiUrl).toBe('https://ghe.example/api/v3');
    user({ forge: { apiUrl: 'http://user:pa55@ghe.example' } });
    const { details } = failureOf(() => load());
    expect(details.join()).toContain('forge.apiUrl: has to be an https address');
    expect(details.join()).not.toContain('pa55');
  });

  it('do without a sandbox that its user requires; it may require one', () => {
    expect(load().sandbox).toBe('prefer');
    repository({ fleet: { sandbox: 'require' } });
    expect(load().sandbox).toBe('require');
    user({ fleet: { sandbox: 'require' } });
    repository({ fleet: { sandbox: 'prefer' } });
    expect(load().sandbox).toBe('require');
    expect(load({ GATEWRIGHT_SANDBOX: 'prefer' }).sandbox).toBe('prefer');
    expect(refusal({ fleet: { sandbox: 'off' } })).toContain('has to be "prefer" or "require"');
    expect(failureOf(() => load({ GATEWRIGHT_SANDBOX: 'off' })).details.join()).toContain(
      'prefer or require',
    );
  });

  it('raise a limit; it may lower one, and never above what its user set', () => {
    expect(refusal({ budget: { run: { usd: 5.01 } }, limits: { iterations: 21 } })).toMatch(
      /budget\.run\.usd: a repository file may only lower this, to 5 at most[^\n]+GATEWRIGHT_BUDGET_RUN_USD\n[^\n]+limits\.iterations/u,
    );
    repository({ budget: { run: { usd: 3 } } });
    expect(load().budget.run).toEqual({ usd: 3, tokens: 2_000_000, turns: 200 });
    user({ budget: { run: { usd: 2 } } });
    expect(load().budget.run.usd).toBe(2);
    user({ budget: { run: { usd: 10 } } });
    expect(load().budget.run.usd).toBe(3);
    repository({ budget: { run: { usd: 8 } } });
    expect(load().budget.run.usd).toBe(8);
    expect(refusal({ budget: { run: { usd: 11 } } })).toContain('to 10 at most');
    repository({ budget: { run: { usd: 1 } } });
    expect(load({ GATEWRIGHT_BUDGET_RUN_USD: '30' }).budget.run.usd).toBe(30);
  });

  it.each([
    ['autoMode', true, 'GATEWRIGHT_AUTO_MODE or with --auto'],
    ['testMode', '1', 'GATEWRIGHT_TEST_MODE'],
    ['editor', 'rm -rf /', 'GATEWRIGHT_EDITOR'],
    ['database', '/tmp/x.db', 'GATEWRIGHT_DATABASE_URL or with --database'],
    ['dataFolder', '/tmp/x', 'GATEWRIGHT_DATA_DIR'],
    ['actor', 'root', 'GATEWRIGHT_ACTOR'],
    ['waiveIndependence', 'because', '--waive-independence'],
  ])('set %s, nor may any file; it says how', (key, value, way) => {
    expect(refusal({ [key]: value })).toContain(`${key}: this cannot be set in a file; set it with ${way}`);
    rmSync(join(root, 'gatewright.config.json'));
    user({ [key]: value });
    expect(failureOf(() => load()).details.join()).toContain('this cannot be set in a file');
  });

  it('be a link, a folder or huge', () => {
    const secret = join(folder, 'secret.json');
    writeFileSync(secret, '{"canary-4711": 1}');
    symlinkSync(secret, join(root, 'gatewright.config.json'));
    const { details } = failureOf(() => load());
    expect(details.join()).toContain('is a link');
    expect(details.join()).not.toContain('canary');
    rmSync(join(root, 'gatewright.config.json'));
    mkdirSync(join(root, 'gatewright.config.json'));
    expect(failureOf(() => load()).details.join()).toContain('is no file');
    rmSync(join(root, 'gatewright.config.json'), { recursive: true });
    expect(refusal(`{"$schema": "${'x'.repeat(300_000)}"}`)).toContain('larger than 256 KiB');
  });

  it('do anything with __proto__ or constructor', () => {
    expect(refusal('{"__proto__": {"forge": {"kind": "github"}}}')).toContain('no such setting');
    expect(refusal('{"models": {"constructor": {"prototype": 1}}}')).toContain('no such setting');
    expect(({} as Record<string, unknown>).forge).toBeUndefined();
  });
});

describe('the user’s file', () => {
  it('may raise limits and choose anything, but not name a repository or labels', () => {
    user({
      budget: { day: { usd: 500 } },
      models: { reviewer: 'cassette:/x.json' },
      limits: { iterations: 99 },
    });
    const config = load();
    expect([config.budget.day.usd, config.maxIterations]).toEqual([500, 99]);
    user({ forge: { repository: 'a/b' }, labels: [{ name: 'x' }] });
    expect(failureOf(() => load()).details).toHaveLength(2);
  });

  it('is refused when others can write to it', () => {
    user({});
    chmodSync(userFile, 0o666);
    expect(failureOf(() => load()).details.join()).toContain(`chmod go-w ${userFile}`);
  });
});

describe('problems', () => {
  it('are told all at once, of both files, with key, line and the nearest known name', () => {
    user({ modles: {} });
    const said = refusal(
      '{\n  "forge": { "kind": "gitlab", "repositroy": "a/b" },\n  "budget": { "run": { "usd": -1 } },\n  "labels": [\n    { "name": "a,b" },\n    { "name": "x", "colour": "red" }\n  ],\n  "zzzzzz": 1\n}',
    );
    const file = join(root, 'gatewright.config.json');
    expect(said.split('\n')).toEqual([
      `${userFile}:2:3: modles: there is no such setting; did you mean "models"?`,
      `${file}:2:14: forge.kind: has to be "local" or "github"`,
      `${file}:2:32: forge.repositroy: there is no such setting; did you mean "repository"?`,
      `${file}:3:24: budget.run.usd: has to be a number of 0 or more`,
      `${file}:5:7: labels.0.name: has to be 1 to 50 visible characters without commas or outer spaces`,
      `${file}:6:20: labels.1.colour: has to be six hexadecimal digits, such as d73a4a`,
      `${file}:8:3: zzzzzz: there is no such setting; known here: $schema, forge, models, budget, prices, limits, fleet, labels`,
    ]);
  });

  it.each([
    ['no JSON', '{\n  "forge": }', ':2:12: this is not JSON: expected a value'],
    ['a list', '[]', ':1:1: has to be an object'],
    ['a key twice', '{"forge": {},\n"forge": {"kind": "github"}}', ':2:1: the key "forge" is there twice'],
    [
      'hidden characters',
      '{"for\\u202Ege": 1}',
      'for\\u{202e}ge: there is no such setting; did you mean "forge"?',
    ],
    [
      'a model that is an option',
      '{"models": {"drafter": "claude:--help"}}',
      'models.drafter: has to be google:MODEL',
    ],
    ['no model at all', '{"models": {"reviewer": "claude:opus"}}', 'models.reviewer: has to be google:MODEL'],
  ])('%s', (_, content, said) => {
    expect(refusal(content)).toContain(said);
  });

  it('of a named file are those of a repository’s, unless it is the user’s own', () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, text({ forge: { apiUrl: 'https://x.example' } }));
    expect(inspectConfigFiles(base(), null, other)).toMatchObject([
      { file: other, exists: true, problems: [{ key: 'forge.apiUrl', line: 3 }] },
    ]);
    user({ forge: { apiUrl: 'https://x.example' } });
    expect(inspectConfigFiles(base(), null, userFile)).toMatchObject([{ file: userFile, problems: [] }]);
    expect(inspectConfigFiles(base(), root)).toMatchObject([{ exists: true }, { exists: false }]);
  });
});

describe('the schema for editors', () => {
  it('knows every setting of the table and nothing else', () => {
    const keys: string[] = [];
    const walk = (node: object, path: string): void => {
      for (const [name, below] of Object.entries('properties' in node ? (node.properties as object) : {})) {
        const key = path === '' ? name : `${path}.${name}`;
        if ('properties' in below) walk(below, key);
        else keys.push(key);
      }
    };
    walk(makeJsonSchema(), '');
    expect(keys.sort()).toEqual(['$schema', ...fileSettings.map(({ key }) => key)].sort());
  });
});
