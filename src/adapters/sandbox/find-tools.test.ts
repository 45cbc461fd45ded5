/** Toolchains in a home: they work in a sandbox, and nothing else of the home is there. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWithoutSandbox } from '../../../test/support/needs-sandbox.ts';
import { makeToolHome, type ToolHome } from '../../../test/support/tool-home.ts';
import type { CommandResult } from '../../ports/command-runner.ts';
import { findTools } from './find-tools.ts';
import { makeLocalSandbox } from './local-sandbox.ts';
import { pickMiseTools } from './pick-mise-tools.ts';
import { SandboxedCommands } from './sandboxed-commands.ts';

let folder = '';
let world: ToolHome;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-tools-')));
  mkdirSync(join(folder, 'work'));
  world = makeToolHome(folder, 'canary-in-the-home');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wanted = ['~/tools/flutter'];

function run(script: string, environment = world.environment, program = 'sh'): Promise<CommandResult> {
  const sandbox = makeLocalSandbox({ environment, demand: 'require', tools: wanted });
  const argv = program === 'sh' ? ['sh', '-c', script] : [program];
  return new SandboxedCommands(sandbox, environment).run({
    ...{ folder: join(folder, 'work'), argv, limitMilliseconds: 20_000, network: 'none' },
  });
}

/** Every tool, one after another, with its name before what it says. */
const askAll = (names: readonly string[]): string =>
  names.map((name) => `echo "${name.replaceAll('$', '\\$')}: $(${name} 2>&1)"`).join('\n');

describe.skipIf(isWithoutSandbox)('a toolchain in the home', () => {
  it('works in a sandbox, of whatever kind it is', async () => {
    const { output } = await run(askAll(Object.keys(world.tools)));
    const expected = Object.entries(world.tools).map(([name, says]) => `${name}: ${says}`);
    expect(output.trim().split('\n')).toEqual(expected);
  });

  it('shows nothing else: no login, no project, no script of the person', async () => {
    const search = `grep -rsa ${world.canary} ${folder}`;
    const found = execFileSync('sh', ['-c', `${search} | wc -l`], { encoding: 'utf8' });
    expect(Number(found)).toBeGreaterThanOrEqual(30);
    const names = world.notOffered.map((name) => `command -v ${name}; ${name}`).join('\n');
    const { output } = await run(
      `${search}; env; ${names}\ncat $MISE_GLOBAL_CONFIG_FILE; ls -A ${world.home} ${world.home}/.cargo ${world.home}/.local ${world.home}/.local/share`,
    );
    expect(output).not.toContain(world.canary);
    for (const name of world.notOffered)
      expect(output).toMatch(new RegExp(`${name}: (?:not found|Permission denied|command not found)`, 'u'));
    // What is written to standard error comes in between, or after it.
    const lines = output.slice(output.indexOf('[tools]')).trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('sh: '))).toEqual([
      ...['[tools]', 'node = "22"', `${world.home}:`, '.asdf', '.cargo', '.local', '.npm-global', '.nvm'],
      ...['.pyenv', '.rustup', '.sdkman', '.volta', 'go', 'sdk', 'tools', '', `${world.home}/.cargo:`, 'bin'],
      ...['', `${world.home}/.local:`, 'bin', 'share', '', `${world.home}/.local/share:`],
      ...['fnm', 'mise', 'pipx', 'uv'],
    ]);
  });

  it('cannot be changed', async () => {
    const { output } = await run(
      `for file in ${world.home}/.cargo/bin/rustup ${world.home}/.nvm/versions/node/v20.1.0/bin/nvm-tool; do echo x > $file; rm $file; done; touch ${world.home}/.cargo/x; echo done`,
    );
    expect(output.match(/Read-only file system/gu)?.length).toBe(4);
    // The folder around what is shown is one in memory.
    expect(existsSync(join(world.home, '.cargo', 'x'))).toBe(false);
    expect((await run('nvm-tool')).output).toBe('nvm\n');
  });

  it('is told where it is, if that can be seen, and nothing else', () => {
    const { variables } = findTools(world.environment, wanted);
    expect(variables).toEqual({
      ...{ VOLTA_HOME: `${world.home}/.volta`, PYENV_ROOT: `${folder}/disk/pyenv` },
      ...{ ASDF_DATA_DIR: `${world.home}/.asdf`, ASDF_DIR: `${world.home}/.asdf` },
      ...{ MISE_DATA_DIR: `${world.home}/.local/share/mise`, RUSTUP_HOME: `${world.home}/.rustup` },
      MISE_GLOBAL_CONFIG_FILE: '/run/gatewright/mise.toml',
      UV_PYTHON_INSTALL_DIR: `${world.home}/.local/share/uv/python`,
      ...{ JAVA_HOME: `${world.home}/.sdkman/candidates/java/21`, NVM_DIR: `${world.home}/.nvm` },
    });
  });

  it('is called by its full path by the name it has', async () => {
    const { output } = await run('', world.environment, `${world.home}/.volta/bin/volta-tool`);
    expect(output).toBe('volta\n');
  });

  it('is where scripts look for it, also if the home is a link', async () => {
    const other = join(folder, 'linked');
    symlinkSync(world.home, other);
    const environment = Object.fromEntries(
      Object.entries(world.environment).map(([name, value]) => [name, value.replaceAll(world.home, other)]),
    );
    const { output } = await run(
      `${askAll(['asdf-tool', 'pyenv-tool'])}; cat ${other}/.sdkman/candidates/java/21/conf/word; grep -rsa ${world.canary} ${folder}`,
      environment,
    );
    expect(output).toBe('asdf-tool: asdf\npyenv-tool: pyenv\njava\n');
  });
});

describe.skipIf(isWithoutSandbox)('a folder that a person named', () => {
  it.each([
    ['~/missing', 'is not there'],
    ['~/notes.txt', 'is not a folder'],
    ['~/.ssh', 'is a folder for logins'],
    ['~/.config/composer', 'is a folder for logins'],
    ['~/.local', 'contains more than tools, such as logins'],
    ['~/.cargo', 'contains more than tools, such as logins'],
    ['~/', 'contains more than tools, such as logins'],
    ['/', 'contains more than tools, such as logins'],
    ['/home', 'contains more than tools, such as logins'],
    ['/etc/..', 'contains more than tools, such as logins'],
  ])('%s is not shown: it %s', (path, why) => {
    const none = { HOME: world.home, PATH: '' };
    expect(findTools(none, [path])).toMatchObject({ shown: [], refused: [{ path, why }] });
  });

  it('is not shown through a link to a home either', () => {
    symlinkSync(world.home, join(folder, 'innocent'));
    const { refused, shown } = findTools({ HOME: world.home, PATH: '' }, [join(folder, 'innocent')]);
    expect([refused.length, shown]).toEqual([1, []]);
  });
});

it.each([
  ['', ''],
  [
    '[env]\nA = "1"\n[tools]\nnode = "20"\n"npm:x" = "1.2"\n[settings]\nb = "c"',
    'node = "20"\n"npm:x" = "1.2"\n',
  ],
  [
    '[tools]\npython = ["3.12", "3.11"] # mine\nx = { version = "1", env = "s" }\ny = "a b"',
    'python = ["3.12", "3.11"]\n',
  ],
])('of the settings of mise only versions are taken: %j', (text, kept) => {
  expect(pickMiseTools(text)).toBe(`[tools]\n${kept}`);
});
