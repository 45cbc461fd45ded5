/** The commands that `init` prints for committing its files work where they are printed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Playground } from '../support/playground.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground({ brief: null });
});
afterEach(() => playground.remove());

const env = { GITHUB_TOKEN: '' };
const files = ['.gatewright/config.schema.json', 'docs/lineage/README.md', 'gatewright.config.json'];

it.each(['', 'docs/\n', '*.json\n', '*\n'])(
  'prints commands that work in a subfolder, with %j ignored',
  async (ignored) => {
    playground.write('.gitignore', ignored);
    const cwd = playground.path("a folder's");
    mkdirSync(cwd);
    const { stderr, code } = await playground.run(['init', '--yes'], { env, cwd });
    expect(code, stderr).toBe(0);
    const commands = [...stderr.matchAll(/: (git -C .*)$/gmu)].map(([, command = '']) => command);
    expect(commands.length).toBe(ignored === '' || ignored === '*\n' ? 1 : 2);
    for (const command of commands)
      execFileSync('sh', ['-c', command], { cwd, env: playground.environment, stdio: 'pipe' });
    const tracked = playground.git('ls-files').split('\n');
    for (const file of files) expect(tracked).toContain(file);
  },
);
