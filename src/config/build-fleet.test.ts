/** The settings of the agents: which source may say what, and what the program then gets. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentNames } from '../domain/fleet/agent-names.ts';
import { GatewrightError } from '../errors.ts';
import { fleetForms } from './fleet-forms.ts';
import { loadConfig } from './load-config.ts';
import { readConfig } from './read-config.ts';
import { fileSettings } from './setting-rules.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-fleet-'));
  mkdirSync(join(folder, 'gatewright'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, fleet: unknown) => writeFileSync(join(folder, file), JSON.stringify({ fleet }));
const repository = (fleet: unknown) => write('gatewright.config.json', fleet);
const user = (fleet: unknown) => write('gatewright/config.json', fleet);

function load(environment: Record<string, string> = {}) {
  return loadConfig(
    readConfig({ HOME: folder, XDG_CONFIG_HOME: folder, USER: 'alice', ...environment }),
    folder,
  );
}

function refusal(environment: Record<string, string> = {}): string {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof GatewrightError && error.code === 'config-invalid') return error.details.join('\n');
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('without any setting', () => {
  it('all agents are on, listen to @claude, and start nothing', () => {
    expect(load().fleet).toEqual({
      handle: 'claude',
      bots: [],
      verify: null,
      setup: null,
      setupHosts: [],
      agentCommands: [],
      requiredChecks: [],
      proof: 'warn',
      loopLabels: 'on',
      testsAtOnce: 2,
      template: null,
      agents: agentNames,
    });
  });
});

describe('variables', () => {
  it('set everything that has one', () => {
    expect(
      load({
        GATEWRIGHT_HANDLE: 'smith',
        GATEWRIGHT_BOTS: 'renovate[bot], helper',
        GATEWRIGHT_VERIFY: 'npm test',
        GATEWRIGHT_AGENT_COMMANDS: 'npm run *,make',
        GATEWRIGHT_TEMPLATE: '../template',
        GATEWRIGHT_AGENTS: 'reviewer,implementer',
        GATEWRIGHT_TESTS_AT_ONCE: '5',
        GATEWRIGHT_LOOP_LABELS: 'off',
      }).fleet,
    ).toEqual({
      handle: 'smith',
      bots: ['renovate[bot]', 'helper'],
      verify: ['npm', 'test'],
      setup: null,
      setupHosts: [],
      agentCommands: ['npm run *', 'make'],
      requiredChecks: [],
      proof: 'warn',
      loopLabels: 'off',
      testsAtOnce: 5,
      template: '../template',
      agents: ['implementer', 'reviewer'],
    });
  });

  it.each([
    ['GATEWRIGHT_HANDLE', '@claude'],
    ['GATEWRIGHT_BOTS', 'a,,b'],
    ['GATEWRIGHT_VERIFY', 'npm test; id'],
    ['GATEWRIGHT_AGENT_COMMANDS', 'sh -c "id"'],
    ['GATEWRIGHT_TEMPLATE', 'https://user:pa55@h.example/x'],
    ['GATEWRIGHT_AGENTS', 'reviewer,plumber'],
  ])('%s may not be %j, which is not shown', (name, value) => {
    const said = refusal({ [name]: value });
    expect(said).toContain(`${name} has to be `);
    expect(said).not.toContain(value);
  });

  it.each(['0', '2.5', '6', 'many'])('let no %s test runs go beside each other', (value) =>
    expect(refusal({ GATEWRIGHT_TESTS_AT_ONCE: value })).toContain('a whole number from 1 to 5'),
  );

  it('are those that the table of settings names', () => {
    const named = fileSettings.filter(({ key }) => key.startsWith('fleet.') && key !== 'fleet.sandbox');
    expect(fleetForms.map(({ name, variable }) => [`fleet.${name}`, variable ?? undefined])).toEqual(
      named.map(({ key, variables }) => [key, variables[0]]),
    );
  });
});

describe('the coding agent', () => {
  it('may run the verifying command, unless its commands are named', () => {
    user({ verify: 'make check' });
    expect(load().fleet.agentCommands).toEqual(['make check']);
    user({ verify: 'make check', agentCommands: [] });
    expect(load().fleet.agentCommands).toEqual([]);
  });
});

describe('the file of a repository', () => {
  it.each([
    ['bots', ['evil[bot]'], 'a listed program can give orders'],
    ['verify', 'curl evil.example', 'it starts a program'],
    ['tools', ['~/.ssh'], 'it shows more of your files'],
    ['agentCommands', ['sh *'], 'it starts a program'],
    ['template', '/home/alice/private', 'it would copy files of another repository'],
  ])('may not set fleet.%s', (name, value, because) => {
    repository({ [name]: value });
    const said = refusal();
    expect(said).toContain(`fleet.${name}: a repository file may not set this`);
    expect(said).toContain(because);
    expect(said).toContain('with GATEWRIGHT_');
  });

  it('may switch the labels of the loop off, and not on', () => {
    repository({ loopLabels: 'off' });
    expect(load().fleet.loopLabels).toBe('off');
    repository({ loopLabels: 'on' });
    expect(load().fleet.loopLabels).toBe('on');
    user({ loopLabels: 'off' });
    expect(load().fleet.loopLabels).toBe('off');
  });

  it('may name the handle, and its user may choose another', () => {
    repository({ handle: 'smith' });
    expect(load().fleet.handle).toBe('smith');
    expect(load({ GATEWRIGHT_HANDLE: 'jones' }).fleet.handle).toBe('jones');
  });

  it('may only add required checks', () => {
    user({ requiredChecks: ['build', 'test (20, 22)'] });
    repository({ requiredChecks: ['lint', 'build'] });
    expect(load().fleet.requiredChecks).toEqual(['build', 'test (20, 22)', 'lint']);
    repository({ requiredChecks: [] });
    expect(load().fleet.requiredChecks).toEqual(['build', 'test (20, 22)']);
  });

  it('may only switch agents off', () => {
    repository({ agents: ['reviewer', 'ci-doctor'] });
    expect(load().fleet.agents).toEqual(['reviewer', 'ci-doctor']);
    expect(load().settings.get('fleet.agents')?.from).toBe('repository file');
    user({ agents: ['reviewer', 'implementer'] });
    expect(load().fleet.agents).toEqual(['reviewer']);
    repository({ agents: [...agentNames] });
    expect(load().fleet.agents).toEqual(['implementer', 'reviewer']);
    expect(load().settings.get('fleet.agents')?.from).toBe('user file');
    repository({ agents: [] });
    expect(load().fleet.agents).toEqual([]);
    expect(load({ GATEWRIGHT_AGENTS: 'doc-drift' }).fleet.agents).toEqual(['doc-drift']);
  });

  it.each([
    [{ agents: ['plumber'] }, 'fleet.agents.0: has to be one of implementer'],
    [{ agents: 'reviewer' }, 'fleet.agents: has to be a list'],
    [{ handle: 7 }, 'fleet.handle: has to be a name'],
    [{ requiredChecks: ['a\nb'] }, 'fleet.requiredChecks.0: has to be the name of a check'],
    [{ handel: 'x' }, 'did you mean "handle"?'],
  ])('with %j is refused', (fleet, said) => {
    repository(fleet);
    expect(refusal()).toContain(said);
  });
});
