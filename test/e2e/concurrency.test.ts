/** Many at once: one brief has one worker, and runs do not mix. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { isLong } from '../support/property-runs.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});

afterEach(() => playground.remove());

describe('two terminals on one brief', () => {
  it('the second is told who holds it, and nothing happens twice', async () => {
    const models = writeCassette(playground.folder, 'one', {
      drafts: [draftText('T')],
      verdicts: [approved],
    });
    const first = new TerminalSession(playground, ['issue', '--brief', brief, ...models], {
      GATEWRIGHT_EDITOR: 'true',
    });
    await first.see('Your choice [G/R/S]');
    const second = await playground.run(['issue', '--resume', brief, '--auto', ...models], {
      env: { GATEWRIGHT_ACTOR: 'bob' },
    });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('(lease-held)');
    expect(second.stderr).toMatch(/alice has been working on it since .* \(process \d+ on /u);
    const explained = await playground.run(['explain', brief]);
    expect(explained.stdout).toContain('alice is working on it since');
    first.type('G');
    await first.answer('Enter to continue', '');
    expect(await first.exit()).toBe(0);
    expect(await playground.json<unknown[]>(['forge', 'issue', 'list'])).toHaveLength(1);
  });

  it('started at the same moment, exactly one of them files', async () => {
    const models = writeCassette(playground.folder, 'one', {
      drafts: [draftText('T')],
      verdicts: [approved],
    });
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => playground.run(['issue', '--brief', brief, '--auto', ...models])),
    );
    expect(results.filter((result) => result.code === 0)).toHaveLength(1);
    expect(await playground.json<unknown[]>(['forge', 'issue', 'list'])).toHaveLength(1);
    expect(playground.list('docs/lineage/done')).toEqual(['1-export-csv']);
  });
});

const briefs = isLong ? 20 : 6;

describe(`${briefs} briefs at once`, () => {
  it('make as many issues and commits, and nothing is mixed', { timeout: 120_000 }, async () => {
    const names = Array.from({ length: briefs }, (_, index) => `idea-${String(index + 1).padStart(2, '0')}`);
    const jobs = names.map((name) => {
      const secret = `the secret of ${name}`;
      playground.write(
        `ideas/active/${name}.md`,
        `# ${name}\n\nThis is ${secret}, which no other run may ever see.\n`,
      );
      const models = writeCassette(playground.folder, name, {
        drafts: [draftText(`Issue for ${name}`, { labels: `\`${name}\`, \`reports\``, note: secret })],
        verdicts: [approved],
        includes: secret,
      });
      return { name, models };
    });
    const results = await Promise.all(
      jobs.map(({ name, models }) =>
        playground.run(['issue', '--brief', `ideas/active/${name}.md`, '--auto', ...models]),
      ),
    );
    for (const result of results) expect(result.code, result.all).toBe(0);

    const { forge, ledger, views, close } = openRecords(playground);
    const issues = await forge.listIssues('local/project', { state: 'all' });
    expect(issues.map((issue) => issue.number)).toEqual(
      Array.from({ length: briefs }, (_, index) => briefs - index),
    );
    for (const issue of issues) {
      const name = issue.title.replace('Issue for ', '');
      expect(issue.body).toContain(`the secret of ${name}`);
      expect(issue.labels).toEqual([name, 'reports']);
      expect(playground.list(`docs/lineage/done/${issue.number}-${name}`)).toHaveLength(4);
    }
    expect((await ledger.verify()).problems).toEqual([]);
    expect((await views.listRuns()).every((run) => run.status === 'done')).toBe(true);
    close();
    expect(playground.git('rev-list', '--count', 'HEAD')).toBe(String(briefs + 1));
    expect(playground.list('docs/lineage/active')).toEqual([]);
    expect(playground.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});
