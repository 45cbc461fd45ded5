/** The manners of the command line: help, errors, JSON, completion, quiet streams, the local forge in gh's words. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground, programFile } from '../support/playground.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});

afterEach(() => playground.remove());

describe('help and version', () => {
  it('--version prints the version and nothing else', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    for (const args of [['--version'], ['-V'], ['issue', '--version']]) {
      const result = await playground.run(args);
      expect([result.code, result.stdout, result.stderr]).toEqual([0, `${version}\n`, '']);
    }
  });

  it.each([
    [['--help']],
    [['help', 'lld']],
    [['issue', '--help']],
    [['forge', '--help']],
    [['gate', 'answer', '-h']],
  ])('%j goes to standard output', async (args) => {
    const result = await playground.run(args);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('Usage: gatewright');
    expect(result.stderr).toBe('');
  });

  it('no command at all shows help and exits with 2', async () => {
    const result = await playground.run([]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('Start here:');
  });

  it('looking around makes no database', async () => {
    for (const args of [['--help'], ['status'], ['runs'], ['gates']])
      expect((await playground.run(args)).code).toBe(0);
    expect(() => readFileSync(playground.database)).toThrow('ENOENT');
    const unknown = await playground.run(['explain', 'nothing']);
    expect(unknown.stderr).toContain('(subject-not-found)');
  });
});

describe('what it does not understand', () => {
  it.each([
    [['isue'], 'Did you mean: gatewright issue'],
    [['help', 'isue'], 'Did you mean: gatewright issue'],
    [['forge'], 'One of: issue, pr, label, run, check, commit, permission.'],
    [['forge', 'pr', 'merge', '1'], 'one of --squash, --merge, --rebase'],
    [['forge', 'issue', 'create', '-t', 'x', '-b', 'y', '-F', 'z'], 'Give one of --body and --body-file.'],
    [['forge', 'issue', 'create'], 'gatewright forge issue create --help'],
    [['issue', '--brif', 'x'], 'Did you mean --brief?'],
    [['issue', '--brief'], '--brief needs a value'],
    [['issue'], 'Give one of --brief FILE, --select or --resume FILE'],
    [['issue', '--brief', 'a', '--resume', 'b'], 'Give one of'],
    [['issue', '--brief', 'a', '--max-iterations', '0'], 'whole number of at least 1'],
    [['issue', '--brief', 'a', '--on-collision', 'x'], 'one of: resume, clean, abort'],
    [['completion', 'tcsh'], 'one of: bash, zsh, fish'],
    [['runs', 'show'], 'needs RUN'],
    [['status', 'now'], 'does not take "now"'],
    [['forge', 'issue', 'view', 'x'], 'is not an issue number'],
  ])('%j', async (args, says) => {
    const result = await playground.run(args);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(says);
    expect(result.stdout).toBe('');
  });

  it('names every bad setting at once', async () => {
    const result = await playground.run(['status'], {
      env: { GATEWRIGHT_BUDGET_RUN_USD: 'lots', GATEWRIGHT_BUDGET_DAY_TURNS: '-1', GATEWRIGHT_ACTOR: 'a b' },
    });
    for (const part of ['GATEWRIGHT_BUDGET_RUN_USD', 'GATEWRIGHT_BUDGET_DAY_TURNS', 'GATEWRIGHT_ACTOR'])
      expect(result.stderr).toContain(part);
  });

  it('errors come as JSON when JSON was asked for', async () => {
    const result = await playground.run(['issue', '--brief', 'nothing.md', '--json']);
    expect(JSON.parse(result.stdout)).toMatchObject({
      error: { code: 'brief-not-found', retry: 'after-human' },
    });
    expect(result.code).toBe(1);
  });
});

describe('scripts', () => {
  it('get the result on standard output and progress on standard error', async () => {
    const result = await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--auto']);
    expect(result.stdout).toBe('local://local/project/issues/1\n');
    expect(result.stderr).toContain('>>> Executing: N6_file');
    expect(result.all).not.toContain('\u001b[');
  });

  it('get one JSON document', async () => {
    const result = await playground.run([
      'issue',
      '--brief',
      'ideas/active/export-csv.md',
      '--auto',
      '--json',
    ]);
    expect(JSON.parse(result.stdout)).toMatchObject({
      status: 'done',
      issue: { number: 1 },
      gate: null,
      costUsd: 0,
    });
    expect(await playground.json(['status'])).toMatchObject({
      waiting: [],
      running: [],
      stopped: [],
      today: { filed: 1, costUsd: 0 },
    });
    const [run] = await playground.json<{ id: string }[]>(['runs']);
    const shown = await playground.json<{ entries: unknown[] }>(['runs', 'show', run?.id.slice(0, 12) ?? '']);
    expect(shown.entries.length).toBeGreaterThan(20);
    for (const issue of ['#1', '1'])
      expect(await playground.json(['explain', issue])).toMatchObject({
        state: 'open',
        conditions: [{ what: 'it has no order for an agent' }],
      });
    expect(await playground.json(['explain', 'export-csv'])).toMatchObject({
      status: 'done',
      conditions: [],
    });
    const lines = (await playground.run(['ledger', 'show', 'export-csv', '--json'])).stdout
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual(lines.map((_, index) => index + 1));
  });

  it('resuming what is done says so', async () => {
    await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--auto']);
    const again = await playground.run(['issue', '--resume', 'ideas/active/export-csv.md', '--auto']);
    expect(again.stderr).toContain('(run-finished)');
    const nothing = await playground.run(['issue', '--resume', 'nothing.md']);
    expect(nothing.stderr).toContain('(run-not-found)');
  });

  it('the ledger names a changed entry', async () => {
    await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--auto']);
    expect((await playground.run(['ledger', 'verify', 'export-csv'])).stdout).toContain('Sound');
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(playground.database);
    database
      .prepare(
        `UPDATE ledger SET actor = 'mallory' WHERE kind = 'gate-answered' AND seq = (SELECT min(seq) FROM ledger WHERE kind = 'gate-answered')`,
      )
      .run();
    database.close();
    const broken = await playground.run(['ledger', 'verify']);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/local\/project:export-csv entry \d+ \(gate-answered\): changed/u);
    expect(broken.stderr).toContain('(ledger-broken)');
  });
});

describe('completion', () => {
  it('offers commands, sub-commands, options and fixed values in bash', async () => {
    const { stdout } = await playground.run(['completion', 'bash']);
    const complete = (...words: string[]): string[] => {
      const script = `${stdout}\nCOMP_WORDS=(gatewright ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _gatewright; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: playground.folder })
        .trim()
        .split('\n');
    };
    expect(complete('led')).toEqual(['ledger']);
    expect(complete('ledger', '')).toEqual(expect.arrayContaining(['show', 'verify']));
    expect(complete('issue', '--br')).toEqual(['--brief']);
    expect(complete('forge', 'issue', 'c')).toEqual(expect.arrayContaining(['create', 'comment', 'close']));
    expect(complete('completion', 'z')).toEqual(['zsh']);
  });

  it('prints something for zsh and fish', async () => {
    expect((await playground.run(['completion', 'zsh'])).stdout).toContain('#compdef gatewright');
    expect((await playground.run(['completion', 'fish'])).stdout).toContain('complete -c gatewright');
  });
});

describe('the local forge in the words of gh', () => {
  it('creates, lists, views, comments, labels, closes and reopens', async () => {
    const created = await playground.run(
      ['forge', 'issue', 'create', '--title', 'Hello', '--body-file', '-', '--label', 'bug,later'],
      { input: 'A body\n' },
    );
    expect(created.stdout).toBe('local://local/project/issues/1\n');
    expect((await playground.run(['forge', 'issue', 'comment', '1', '--body', 'Me too'])).stdout).toBe(
      'Commented on #1.\n',
    );
    await playground.run([
      'forge',
      'issue',
      'edit',
      '1',
      '--add-label',
      'urgent',
      '--remove-label',
      'later',
      '--title',
      'Hello again',
    ]);
    const again = await playground.run(
      'forge issue edit 1 --add-label urgent --remove-label later --remove-assignee bob'.split(' '),
    );
    expect([again.code, again.stdout]).toEqual([0, 'local://local/project/issues/1\n']);
    expect(again.stderr).toBe(
      '#1 has the label "urgent" already.\n#1 does not have the label "later".\n#1 is not assigned to bob.\n',
    );
    const view = await playground.run(['forge', 'issue', 'view', '#1']);
    expect(view.stdout).toContain('Hello again #1');
    expect(view.stdout).toContain('bug, urgent');
    expect(view.stdout).toContain('Me too');
    await playground.run(['forge', 'issue', 'close', '1', '--comment', 'Done']);
    expect((await playground.run(['forge', 'issue', 'list'])).stdout).toBe('');
    expect((await playground.run(['forge', 'issue', 'list', '--state', 'closed'])).stdout).toContain('#1');
    await playground.run(['forge', 'issue', 'reopen', '1']);
    expect((await playground.run(['forge', 'issue', 'reopen', '1'])).stderr).toBe('#1 is open already.\n');
    expect(await playground.json(['forge', 'issue', 'list', '--label', 'urgent'])).toMatchObject([
      { number: 1, state: 'open' },
    ]);
    expect(
      (
        await playground.run([
          'forge',
          'label',
          'create',
          'new',
          '--color',
          '#ff0000',
          '--description',
          'Fresh',
        ])
      ).stdout,
    ).toContain('Made');
    expect((await playground.run(['forge', 'label', 'list'])).stdout).toContain('#ff0000');
    expect((await playground.run(['forge', 'permission', 'list'])).stdout).toContain('alice  admin');
  });

  it('shows hostile text escaped', async () => {
    const hostile = 'Look\u001b[2J\u001b]0;owned\u0007 \u202egnp.exe';
    await playground.run(['forge', 'issue', 'create', '--title', 'Fine', '--body', hostile]);
    await playground.run(['forge', 'issue', 'comment', '1', '--body', hostile]);
    for (const args of [
      ['forge', 'issue', 'view', '1'],
      ['forge', 'issue', 'list'],
    ]) {
      const { all } = await playground.run(args);
      expect(all).not.toMatch(/[\u001b\u0007\u202e]/u);
    }
    expect((await playground.run(['forge', 'issue', 'view', '1'])).stdout).toContain('\\u{1b}[2J');
  });

  it('keeps working copies where the data folder is', async () => {
    const data = join(playground.folder, 'elsewhere');
    const env = { GATEWRIGHT_DATA_DIR: data };
    const { code, all } = await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--auto'], {
      env,
    });
    expect(code, all).toBe(0);
    expect(existsSync(join(dirname(playground.database), 'worktrees'))).toBe(false);
    expect(existsSync(join(data, 'worktrees'))).toBe(true);
  });

  it('keeps two folders of one name apart', async () => {
    const other = new Playground();
    const env = { GATEWRIGHT_DATABASE_URL: playground.database };
    await playground.run(['forge', 'issue', 'create', '--title', 'Here']);
    await other.run(['forge', 'issue', 'create', '--title', 'There'], { env });
    expect(await playground.json(['forge', 'issue', 'list'])).toMatchObject([{ title: 'Here' }]);
    expect(await other.json(['forge', 'issue', 'list'], { env })).toMatchObject([
      { title: 'There', url: 'local://local/project-2/issues/1' },
    ]);
    other.remove();
  });
});

describe('an old Node', () => {
  it('is told which one is needed instead of crashing', () => {
    // The check runs on any Node; here it is shown a lower number.
    const script = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); process.argv[2] = 'status'; require(${JSON.stringify(programFile)})`;
    const run = () =>
      execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(run).toThrow(/Gatewright needs Node.js 22.18 or newer; this is 20.20.2/u);
  });
});
