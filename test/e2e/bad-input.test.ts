/** Bad input gets a clear error that says how to fix it, and changes nothing. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground, programFile } from '../support/playground.ts';
import { runWithMounts, whyNoMounts } from '../support/private-mounts.ts';
import { fewOf } from '../support/property-runs.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});

afterEach(() => playground.remove());

function models(draft: string): string[] {
  return writeCassette(playground.folder, 'bad', { drafts: [draft], verdicts: [approved] });
}

/** All that a run could have touched. */
async function footprint(): Promise<unknown> {
  const isRecorded = existsSync(playground.database);
  const { forge, views, close } = isRecorded
    ? openRecords(playground)
    : { forge: null, views: null, close: () => undefined };
  const print = {
    tree: playground.git('status', '--porcelain', '--untracked-files=all', '--ignored'),
    head: playground.git('rev-parse', 'HEAD'),
    issues: forge === null ? [] : await forge.listIssues('local/project', { state: 'all' }).catch(() => []),
    labels: forge === null ? [] : await forge.listLabels('local/project').catch(() => []),
    runs: (await views?.listRuns()) ?? [],
  };
  close();
  return print;
}

async function expectRefused(args: readonly string[], code: string, says: string): Promise<void> {
  const before = await footprint();
  const result = await playground.run(args);
  expect(result.stderr).toContain(`(${code})`);
  expect(result.stderr).toContain(says);
  expect(result.stderr).toContain('What to do:');
  expect(result.code).not.toBe(0);
  expect(result.stderr).not.toMatch(/\n {4}at /u);
  expect(await footprint()).toEqual(before);
}

describe('a brief that cannot be one', () => {
  it.each([
    ['missing', null, 'brief-not-found', 'does not exist'],
    ['empty', '', 'brief-empty', 'is empty'],
    ['only white space', ' \n\t\n', 'brief-empty', 'is empty'],
    ['binary', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), 'brief-unreadable', 'not a text file'],
    ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x23, 0, 0x20, 0]), 'brief-unreadable', 'UTF-16'],
    ['not UTF-8', Uint8Array.from([0x23, 0x20, 0xe9, 0xe8, 0x0a]), 'brief-unreadable', 'not valid UTF-8'],
    ['10 MB', 'x'.repeat(10 * 1024 * 1024), 'brief-unreadable', '10240 KiB'],
  ])('%s', async (_, content, code, says) => {
    if (content !== null) playground.write('notes.md', content);
    await expectRefused(['issue', '--brief', 'notes.md', '--auto'], code, says);
  });

  it('a folder', async () => {
    await expectRefused(['issue', '--brief', 'ideas', '--auto'], 'brief-not-found', 'is not a file');
  });

  it('a name without a usable letter', async () => {
    playground.write('日本語.md', '# Something\n\nWith enough words to be a brief of some kind.\n');
    await expectRefused(['issue', '--brief', '日本語.md', '--auto'], 'slug-invalid', '--slug');
  });

  it.each(['../escape', '-rf', 'UPPER', 'a b', '$(touch x)', 'a\u202eb', 'x'.repeat(10_000), 'a--b'])(
    'slug %j',
    async (slug) => {
      await expectRefused(
        ['issue', '--brief', 'ideas/active/export-csv.md', '--auto', `--slug=${slug}`],
        'slug-invalid',
        'not allowed',
      );
    },
  );

  it('file names that would hurt a shell become harmless names', async () => {
    const name = '$(touch pwned) ; rm -rf.md';
    playground.write(
      name,
      '# Fine\n\nWords words words words words words words words words.\n\n- one thing\n',
    );
    const result = await playground.run(['issue', '--brief', name, '--auto']);
    expect(result.code, result.all).toBe(0);
    expect(playground.list('docs/lineage/done')).toEqual(['1-touch-pwned-rm-rf']);
    expect(playground.exists('pwned')).toBe(false);
  });
});

describe('a draft that cannot be filed', () => {
  const sendsBack = async (draft: string, says: string): Promise<void> => {
    const result = await playground.run([
      'issue',
      '--brief',
      'ideas/active/export-csv.md',
      '--auto',
      '--max-iterations',
      '1',
      ...models(draft),
    ]);
    expect(result.code, result.all).toBe(11);
    expect(result.stderr).toContain('(iteration-limit)');
    expect(playground.read('docs/lineage/active/export-csv/003-verdict.md')).toContain(says);
    const { forge, close } = openRecords(playground);
    expect(await forge.listIssues('local/project', { state: 'all' })).toEqual([]);
    expect(await forge.listLabels('local/project')).toEqual([]);
    close();
    expect(playground.git('rev-list', '--count', 'HEAD')).toBe('1');
  };

  it('no heading', () => sendsBack('Just some words.\n', 'has no "\\# Title" heading'));
  it('a control label', () =>
    sendsBack(draftText('T', { labels: '`bug`, `Auto-Merge`' }), 'steers Gatewright itself'));
  it('a control label of the loop', () =>
    sendsBack(draftText('T', { labels: '`AI: Approved`' }), 'steers Gatewright itself'));
  it('a label with invisible characters', () =>
    sendsBack(draftText('T', { labels: '`bu\u202eg`' }), '1 to 50 visible characters'));
  it('a label of 10,000 characters', () =>
    sendsBack(draftText('T', { labels: `\`${'l'.repeat(10_000)}\`` }), '1 to 50 visible characters'));
  it('a title of 10,000 characters', () => sendsBack(draftText('t'.repeat(10_000)), '10000 characters'));
  it('a title that reads backwards', () =>
    sendsBack(draftText('safe\u202egnp.exe'), 'invisible or control characters'));
  it('a draft of 200,000 characters', () => sendsBack(draftText('T', { note: 'n'.repeat(200_000) }), '200'));

  it.each(['$(touch pwned)', '../../etc/passwd', '-rf --title', '`touch pwned`; echo'])(
    'title and label %j are taken literally',
    async (text) => {
      const draft = draftText(text.replaceAll('`', '\\`'), {
        labels: text.includes('`') ? '`bug`' : `\`${text.slice(0, 50)}\``,
      });
      const result = await playground.run([
        'issue',
        '--brief',
        'ideas/active/export-csv.md',
        '--auto',
        ...models(draft),
      ]);
      expect(result.code, result.all).toBe(0);
      const [issue] = await playground.json<{ title: string; labels: string[] }[]>([
        'forge',
        'issue',
        'list',
      ]);
      expect(issue?.title).toBe(text);
      expect(playground.exists('pwned')).toBe(false);
    },
  );
});

describe('a verdict that is no approval', () => {
  const box = '- [x] **APPROVED**: fine';
  const unclear: [string, string][] = [
    ['no box', '# Review\n\nAll good, approved!\n'],
    ['two boxes', `${box}\n- [x] **REVISE**: not fine\n`],
    ['the box in a code fence', `\`\`\`\n${box}\n\`\`\`\n`],
    ['the box in a quote', `> ${box}\n`],
    ['NOT APPROVED', '- [x] **NOT APPROVED**\n'],
    ['the box in a comment', `<!-- ${box} -->\n`],
    ['an empty file', ''],
  ];
  it.each(fewOf(unclear, 3))('%s stops and asks a person', async (_, text) => {
    const options = models(draftText('T'));
    const stopped = await playground.run([
      'issue',
      '--brief',
      'ideas/active/export-csv.md',
      '--strict',
      ...options,
    ]);
    expect(stopped.code).toBe(10);
    const [draftGate] = await playground.json<{ id: string }[]>(['gates']);
    await playground.run(['gate', 'answer', draftGate?.id ?? '', '--choice', 'send']);
    playground.write('docs/lineage/active/export-csv/003-verdict.md', text);
    const result = await playground.run([
      'issue',
      '--resume',
      'ideas/active/export-csv.md',
      '--auto',
      ...options,
    ]);
    expect(result.stderr).toContain('(verdict-undecided)');
    expect(result.code).toBe(11);
    const { forge, close } = openRecords(playground);
    expect(await forge.listIssues('local/project', { state: 'all' })).toEqual([]);
    close();
  });
});

describe('a database that cannot be used', () => {
  const start = ['issue', '--brief', 'ideas/active/export-csv.md', '--auto'];

  it('corrupt', async () => {
    await playground.run(['forge', 'label', 'list']);
    const bytes = readFileSync(playground.database);
    bytes.fill(0x5a, 0, 400);
    writeFileSync(playground.database, bytes);
    const result = await playground.run(start);
    expect(result.stderr).toContain('(database-corrupt)');
    expect(readFileSync(playground.database).equals(bytes)).toBe(true);
    expect(playground.exists('docs')).toBe(false);
  });

  it('truncated in the middle', async () => {
    await playground.run(start);
    truncateSync(playground.database, Math.floor(statSync(playground.database).size / 2));
    for (const suffix of ['-wal', '-shm']) rmSync(playground.database + suffix, { force: true });
    const result = await playground.run(['ledger', 'verify']);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/\((database-corrupt|ledger-broken)\)/u);
  });

  it('truncated to nothing', async () => {
    await playground.run(start);
    truncateSync(playground.database, 0);
    for (const suffix of ['-wal', '-shm']) rmSync(playground.database + suffix, { force: true });
    for (const command of [start, ['status'], ['ledger', 'verify']]) {
      const result = await playground.run(command);
      expect(result.stderr).toContain('(database-corrupt)');
    }
    expect(statSync(playground.database).size).toBe(0);
  });

  it('somebody else’s database', async () => {
    mkdirSync(dirname(playground.database), { recursive: true });
    const { default: Database } = await import('better-sqlite3');
    const other = new Database(playground.database);
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    const result = await playground.run(start);
    expect(result.stderr).toContain('not one of Gatewright');
  });

  it('of a kind that this version does not know', async () => {
    const result = await playground.run(['status', '--database', 'mysql://localhost/x']);
    expect(result.stderr).toContain('(database-unsupported)');
  });
});

describe('a place where nothing can be written', () => {
  const start = ['issue', '--brief', 'ideas/active/export-csv.md', '--auto'];

  it('not a git repository', async () => {
    const outside = join(playground.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'notes.md'), '# Notes\n\nSome words.\n');
    const result = await playground.run(['issue', '--brief', 'notes.md', '--auto'], { cwd: outside });
    expect(result.stderr).toContain('(not-a-repository)');
    expect(result.stderr).toContain('git init');
  });

  it('a repository without a commit', async () => {
    const fresh = join(playground.folder, 'fresh');
    execFileSync('git', ['init', '--quiet', fresh]);
    writeFileSync(
      join(fresh, 'notes.md'),
      '# Notes\n\nSome words that are enough for a brief, I hope.\n\n- one\n',
    );
    const result = await playground.run(['issue', '--brief', 'notes.md', '--auto'], { cwd: fresh });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('has no commit yet');
    expect(result.stderr).toContain('git does not know your name and address');
  });

  it('a lineage folder that git ignores', async () => {
    playground.write('.gitignore', 'docs/lineage/\n');
    const result = await playground.run(start);
    expect(result.stderr).toContain('git ignores docs/lineage');
  });

  it('a lineage folder that is a link out of the repository', async () => {
    const outside = join(playground.folder, 'outside');
    mkdirSync(outside);
    mkdirSync(playground.path('docs'));
    symlinkSync(outside, playground.path('docs/lineage'));
    const result = await playground.run(start);
    expect(result.stderr).toContain('(path-outside-root)');
    expect(existsSync(join(outside, 'active'))).toBe(false);
  });

  it('a file where the folder has to go', async () => {
    playground.write('docs', 'a file');
    const result = await playground.run(start);
    expect(result.stderr).toContain('(file-conflict)');
    rmSync(playground.path('docs'));
    const again = await playground.run(['issue', '--resume', 'ideas/active/export-csv.md', '--auto']);
    expect(again.code, again.all).toBe(0);
  });

  const whyNot = whyNoMounts();
  const hasNoMounts = whyNot !== null && process.env.CI !== 'true';
  if (hasNoMounts)
    console.warn(`"a full disk" is left out: no mount namespace can be made here (${whyNot}).`);

  /** Runs the program where a script has mounted something that nobody else sees. */
  function runMounted(setup: string): { code: number | null; all: string } {
    const words = [process.execPath, programFile, ...start];
    return runWithMounts(`${setup} && exec "$@"`, words, playground.environment);
  }

  it('a read-only repository', async () => {
    const isRoot = process.getuid?.() === 0;
    let result: { code: number | null; all: string };
    if (isRoot)
      result = runMounted(
        `mount --bind "${playground.repository}" "${playground.repository}" && mount -o remount,ro,bind "${playground.repository}" && cd "${playground.repository}"`,
      );
    else {
      chmodSync(playground.repository, 0o555);
      result = await playground.run(start);
      chmodSync(playground.repository, 0o755);
    }
    expect(result.all).toContain('(cannot-write)');
    expect(playground.exists('docs')).toBe(false);
    const again = await playground.run(['issue', '--resume', 'ideas/active/export-csv.md', '--auto']);
    expect(again.code, again.all).toBe(0);
  });

  it.skipIf(hasNoMounts)('a full disk', () => {
    const mount = join(playground.folder, 'small');
    mkdirSync(mount);
    // Room for the repository's own files and a little more; the database lies elsewhere.
    const fill = `mount -t tmpfs -o size=1m tmpfs "${mount}" && cp -r "${playground.repository}/." "${mount}/" && (dd if=/dev/zero of="${mount}/filler" bs=1k 2>/dev/null || true) && cd "${mount}"`;
    const result = runMounted(fill);
    expect(result.all).toContain('(disk-full)');
    expect(result.all).toContain('Free some space');
  });
});
