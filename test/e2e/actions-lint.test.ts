/** `actions lint` in the built program: which files it reads, what it prints, and how it ends. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground } from '../support/playground.ts';
import { checkout, workflow } from '../support/workflow-cases.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground({ brief: null });
});
afterEach(() => playground.remove());

const write = (path: string, text: string) => playground.write(path, text);
const bad = workflow({ steps: '- run: |\n    echo "${{ github.event.issue.title }}"' });
const runner = 'name: A\nruns:\n  using: node24\n  main: x.js\n';

describe('actions lint', () => {
  it('reads the workflows and actions of the repository, from any folder in it', async () => {
    write('.github/workflows/a.yml', bad);
    write('.github/workflows/b.yaml', workflow({}));
    write('.github/workflows/notes.txt', 'on: push');
    write('.github/dependabot.yml', 'version: 2');
    write('action.yml', runner);
    write('.github/actions/one/action.yaml', runner);
    write('.github/actions/group/two/action.yml', runner);
    mkdirSync(join(playground.repository, 'src'));
    symlinkSync('/etc/passwd', join(playground.repository, '.github/workflows/link.yml'));
    const cwd = join(playground.repository, 'src');
    const result = await playground.run(['actions', 'lint', '--json'], { cwd });
    expect(result.code, result.all).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      isClean: false,
      files: [
        '.github/workflows/a.yml',
        '.github/workflows/b.yaml',
        'action.yml',
        '.github/actions/group/two/action.yml',
        '.github/actions/one/action.yaml',
      ],
      findings: [
        {
          ...{ file: '.github/workflows/a.yml', rule: 'script-injection', severity: 'error' },
          detail: 'github.event.issue.title in run',
        },
      ],
      allowed: [],
    });
  });

  it('prints each fault with its place, why it is one and what to do', async () => {
    write('.github/workflows/a.yml', bad);
    const { code, stdout, stderr } = await playground.run(['actions', 'lint', '.github/workflows/a.yml']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^\.github\/workflows\/a\.yml:10:17: error script-injection: github\.event\.issue\.title in run\n {2}GitHub puts .*\n {2}fix: Put the value into `env:`.*\n$/u,
    );
    expect(stderr).toContain('1 file: 1 error, 0 warnings, 0 notes, 0 allowed.');
  });

  it('prints annotations, in which a name of a file is no command', async () => {
    write('.github/workflows/a,b%0A::x.yml', bad);
    const { code, stdout } = await playground.run(['actions', 'lint', '--format', 'github']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^::error file=\.github\/workflows\/a%2Cb%250A%3A%3Ax\.yml,line=10,col=17,title=script-injection::github\.event\.issue\.title in run: .*\n$/u,
    );
  });

  it('shows what a comment allows, with its reason', async () => {
    const steps = `- uses: ${checkout} # gatewright: allow credentials-persisted: it pushes \u001B[2Jtags`;
    write('.github/workflows/a.yml', workflow({ steps }));
    const { code, stdout, all } = await playground.run(['actions', 'lint']);
    expect(code, all).toBe(0);
    expect(stdout).toBe(
      '.github/workflows/a.yml:9: allowed credentials-persisted: it pushes \\u{1b}[2Jtags\n',
    );
  });

  it('ends with 0 where there are only notes, unless they count', async () => {
    write('.github/workflows/a.yml', workflow({ job: 'container: node:24' }));
    const relaxed = await playground.run(['actions', 'lint']);
    expect([relaxed.code, relaxed.stdout.split('\n')[0]]).toEqual([
      0,
      '.github/workflows/a.yml:8:16: note unpinned-container: node:24',
    ]);
    expect((await playground.run(['actions', 'lint', '--strict'])).code).toBe(1);
  });

  it('takes another repository, a folder, and several files that call each other', async () => {
    const other = new Playground({ brief: null });
    other.write('.github/workflows/a.yml', bad);
    const named = await playground.run(['actions', 'lint', '--repo', other.repository]);
    expect([named.code, named.stdout.split(':')[0]]).toEqual([1, '.github/workflows/a.yml']);
    expect((await playground.run(['actions', 'lint', other.repository])).code).toBe(1);
    other.remove();
    write(
      '.github/workflows/call.yml',
      'on: push\npermissions: {}\njobs:\n  a:\n    uses: ./.github/workflows/b.yml\n    with: {name: fixed}\n',
    );
    const on = 'workflow_call:\n  inputs:\n    name: {type: string}';
    write('.github/workflows/b.yml', workflow({ on, steps: '- run: echo "${{ inputs.name }}"' }));
    const files = ['.github/workflows/b.yml', '.github/workflows/call.yml'];
    expect((await playground.run(['actions', 'lint', ...files.slice(0, 1)])).code).toBe(1);
    const both = await playground.run(['actions', 'lint', ...files]);
    expect(both.code, both.all).toBe(0);
  });

  it('says so where there is nothing to check, and refuses what is not there', async () => {
    const none = await playground.run(['actions', 'lint']);
    expect([none.code, none.stderr.trim()]).toEqual([0, 'There are no workflow files here.']);
    for (const args of [['missing.yml'], ['.'], ['--format', 'xml'], ['--frobnicate']])
      expect((await playground.run(['actions', 'lint', ...args])).code, args.join(' ')).toBe(2);
  });
});
