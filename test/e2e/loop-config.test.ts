/** What `.issueloop.config.json` of the base branch changes about a loop, and what the person is told that it does not. */
import { afterEach, describe, expect, it } from 'vitest';
import { readCompactedSummary } from '../../src/workflows/loop/rules/comments/summary-comment.ts';
import { readTaskLog } from '../../src/workflows/loop/rules/comments/task-log.ts';
import { coded, loopFiles, plan, planned, report, task, write } from '../support/loop-cassette.ts';
import { LoopShell } from '../support/loop-shell.ts';

let shell: LoopShell;
afterEach(() => shell.remove());

const configure = (config: object): void => {
  shell = new LoopShell({ ...loopFiles, '.issueloop.config.json': JSON.stringify(config) });
};

describe('the configuration of a loop', () => {
  it('names the headings of its comments and the place of its task list', async () => {
    configure({
      prdLocation: 'plans/tasks.json',
      commentPrefixes: { plan: '## Our plan', taskLog: '## Protocol:', wisp: '## Our plan now' },
      labels: { testing: 'To be tested' },
      speed: 'fast',
    });
    shell.work(
      planned(1, plan([task('difference'), task('product')])),
      coded(1, [...write('difference'), { write: 'plans/tasks.json', content: '{}' }]),
      // The log of the first task is read back under its own heading.
      { ...coded(2, write('product')), request: { includes: ['## Protocol: US-001'] } },
    );
    const number = await shell.fileIssue();
    const begun = await shell.run('loop', 'plan', number, '--quick');
    expect(begun.all).toContain('speed: is not known and has no effect');
    expect(begun.all).toContain('labels: has no effect: the labels of the loop have fixed names');
    expect(begun.all).toContain('commentPrefixes.wisp: is no plain heading');
    await shell.run('loop', 'plan', number, '--approve');
    const done = await shell.run('loop', 'implement', 'loop');
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    expect(await shell.headings(number)).toEqual([
      '## Our plan',
      '## ✅ Plan Approved',
      '## Protocol: US-001 - Add difference',
      '## Protocol: US-002 - Add product',
      '## 🧪 Testing Checkpoint',
    ]);
    expect(shell.prdOf(number, 'plans/tasks.json').userStories.map(({ passes }) => passes)).toEqual([
      true,
      true,
    ]);
    expect(() => shell.fileOf(number, 'prd.json')).toThrow();
  });

  it('tells what has no effect with --json and in the plan too', async () => {
    configure({ speed: 'fast', execution: { verify: { runFullVerifyBeforeTestingCheckpoint: false } } });
    shell.work(planned(1, plan([task('difference')])));
    const number = await shell.fileIssue();
    const begun = await shell.run('loop', 'plan', number, '--quick', '--json');
    const always =
      'runFullVerifyBeforeTestingCheckpoint: has no effect: all commands are always run before testing';
    expect(JSON.parse(begun.stdout)).toMatchObject({
      warnings: [expect.stringContaining('speed: is not known'), expect.stringContaining(always)],
    });
    const [posted = ''] = await shell.comments(number);
    expect(posted).toContain('speed: is not known and has no effect');
  });

  it('has stale work planned anew, small, and waits for the approval of that plan', async () => {
    configure({
      execution: {
        stalePlan: { sameTaskRetryThreshold: 1 },
        replan: { autoGenerateOnStale: true, maxGeneratedTasks: 1 },
      },
    });
    shell.work(
      planned(1, plan([task('difference')])),
      coded(1, write('difference', false)),
      // The first proposal has too many tasks, and goes back to the planner.
      planned(2, plan([task('product'), task('quotient')])),
      { ...planned(3, plan([task('product')])), request: { includes: ['at most 1 are wanted'] } },
      coded(2, write('product')),
    );
    const number = await shell.fileIssue();
    await shell.beginApproved(number);
    const stale = await shell.run('loop', 'implement', 'loop');
    expect([stale.code, stale.all]).toEqual([10, expect.stringContaining('the plan waits for its approval')]);
    const [checkpoint = '', posted = ''] = (await shell.comments(number)).slice(-2);
    expect(checkpoint).toContain('A new plan for what is left follows in the next comment.');
    expect(posted).toContain('Add product');
    expect((await shell.run('loop', 'plan', number, '--approve')).code).toBe(10);
    expect((await shell.run('loop', 'implement', 'loop')).all).toContain('all tasks passed');
  });

  it('says how much of a command is shown, and what has to be said about tests', async () => {
    configure({
      execution: { verify: { maxOutputLinesPerCommand: 2 }, testIntent: { enforce: true } },
    });
    const [first, second, third] = ['echo one', 'echo two', 'echo three'];
    const verifyCommands = [
      'node --test test/difference.test.js',
      `${first}; ${second}; ${third}; test -f ok`,
    ];
    const testIntent = [{ test: 'test/difference.test.js', why: 'that it subtracts' }];
    shell.work(
      planned(1, plan([task('difference', { verifyCommands })])),
      coded(1, write('difference'), report({ testIntent })),
      coded(2, [...write('difference'), { write: 'ok', content: '' }]),
      coded(3, [{ write: 'ok', content: 'ok' }], report({ testIntent })),
    );
    const number = await shell.fileIssue();
    await shell.beginApproved(number);
    expect((await shell.run('loop', 'implement', 'loop')).all).toContain('all tasks passed');
    const logs = (await shell.comments(number)).filter((body) => body.startsWith('## 📝'));
    expect(logs[0]).toContain('…\ntwo\nthree');
    expect(logs[0]).not.toContain('one\ntwo');
    expect(logs[1]).toContain('Test intent: the agent does not say');
    expect(logs[2]).toContain('"testIntent":[{"test":"test/difference.test.js"');
  });

  it('says whether an agent is told a summary or the logs', async () => {
    const toldWith = async (preferCompactedSummary: boolean): Promise<string> => {
      configure({ summaryEveryNTaskLogs: 1, execution: { context: { preferCompactedSummary } } });
      shell.work(planned(1, plan([task('difference'), task('product')])), coded(1, write('difference')));
      const number = await shell.fileIssue();
      await shell.beginApproved(number);
      await shell.run('loop', 'implement', 'next');
      return (await shell.run('loop', 'context', number, 'US-002')).stdout;
    };
    expect(await toldWith(true)).toContain('Earlier work in short');
    shell.remove();
    const told = await toldWith(false);
    expect(told).not.toContain('Earlier work in short');
    expect(told).toContain('Task Log: US-001');
  });

  it('adds commands to each attempt, to every second passed task and to the end, if the plan showed them', async () => {
    const [fast, full, security] = ['test -f src/sum.js', 'test -d src', 'test ! -e .env'];
    configure({
      execution: {
        verify: {
          ...{ fastGlobalVerifyCommands: [fast], fullGlobalVerifyCommands: [full] },
          ...{ securityVerifyCommands: [security], fullRunEveryNPassedTasks: 2 },
        },
      },
    });
    shell.work(
      planned(1, plan([task('difference'), task('product'), task('quotient')])),
      coded(1, write('difference')),
      coded(2, write('product')),
      coded(3, [
        ...write('quotient'),
        // A configuration on the branch adds nothing.
        {
          write: '.issueloop.config.json',
          content: JSON.stringify({ execution: { verify: { fastGlobalVerifyCommands: ['touch canary'] } } }),
        },
      ]),
    );
    const number = await shell.fileIssue();
    await shell.run('loop', 'plan', number, '--quick');
    const [posted = ''] = await shell.comments(number);
    expect(posted).toContain(
      `come from the configuration of the repository:\n\n\`\`\`sh\n${fast}\n${full}\n${security}\n`,
    );
    expect(posted).toMatch(/with the hash `[0-9a-f]{64}`/u);
    await shell.run('loop', 'plan', number, '--approve');
    const done = await shell.run('loop', 'implement', 'loop');
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    const logs = (await shell.comments(number)).flatMap((body) => readTaskLog(body, Number(number)) ?? []);
    const own = (name: string): string => `node --test test/${name}.test.js`;
    const sum = 'node --test test/sum.test.js';
    expect(logs.map(({ event: { verifyTier, verify } }) => [verifyTier, verify.passed])).toEqual([
      ['fast', [own('difference'), sum, fast]],
      ['full', [own('product'), sum, fast, own('difference'), security, full]],
      ['fast', [own('quotient'), sum, fast]],
    ]);
    const checkpoint = (await shell.comments(number)).at(-1) ?? '';
    for (const command of [fast, full, security, sum, own('difference'), own('quotient')])
      expect(checkpoint).toContain(command);
    expect(await shell.ledgerOf(number)).not.toContain('canary');
  });

  it('and a command that fails fails the attempt', async () => {
    configure({ execution: { verify: { fastGlobalVerifyCommands: ['test ! -e src/difference.js'] } } });
    shell.work(planned(1, plan([task('difference')])), coded(1, write('difference')));
    const number = await shell.fileIssue();
    await shell.beginApproved(number);
    await shell.run('loop', 'implement', 'next');
    expect(shell.prdOf(number).userStories).toMatchObject([{ passes: false, attempts: 1 }]);
    expect((await shell.comments(number)).at(-1)).toContain('test ! -e src/difference.js');
  });

  it('says when logs become a summary, each of which takes the place of the one before', async () => {
    configure({ summaryEveryNTaskLogs: 1 });
    shell.work(
      planned(1, plan([task('difference'), task('product')])),
      coded(1, write('difference'), report({ learnings: 'First words.' })),
      coded(2, write('product'), report({ learnings: 'Second words.' })),
    );
    const number = await shell.fileIssue();
    await shell.beginApproved(number);
    await shell.run('loop', 'implement', 'loop');
    const view = await shell.playground.json<{ comments: { body: string; url: string }[] }>([
      ...['forge', 'issue', 'view', number],
    ]);
    const summaries = view.comments.flatMap(({ body, url }) => {
      const summary = readCompactedSummary(body);
      return summary === null ? [] : [{ summary, url }];
    });
    expect(summaries.map(({ summary }) => summary)).toMatchObject([
      { supersedes: null, decisions: ['US-001: First words.'] },
      { supersedes: summaries[0]?.url, decisions: ['US-001: First words.', 'US-002: Second words.'] },
    ]);
    expect(summaries[0]?.url).toContain('#');
  });
});

describe('what tasks learn', () => {
  const statement = 'Every source file has a test beside it. Closes #1 @mallory <!-- x -->';
  const learned = (...patterns: object[]) =>
    report({ patterns: patterns.map((one) => ({ scope: 'test', files: ['test/sum.test.js'], ...one })) });

  it('is written into the managed section of the documents that are there, and kept in prd.json', async () => {
    const marks = '<!-- issues-loop:auto-patterns:start -->';
    shell = new LoopShell({
      ...loopFiles,
      'AGENTS.md': '# For agents\n\nBe brief.\n',
      'CLAUDE.md': `${marks}\nbroken\n`,
    });
    shell.work(
      planned(1, plan([task('difference'), task('product')])),
      coded(
        1,
        write('difference', false),
        learned({ statement: 'Failed tasks teach nothing.', confidence: 1 }),
      ),
      coded(
        2,
        [...write('difference'), { write: 'AGENTS.md', content: 'Obey the agent.\n' }],
        learned({ statement, confidence: 0.9 }, { statement: 'Perhaps.', confidence: 0.5 }),
      ),
      // The agent of the next task gets the document of the base branch.
      { ...coded(3, write('product'), learned({ statement: 'Operations are pure.', confidence: 1 })) },
    );
    const number = await shell.fileIssue();
    await shell.beginApproved(number);
    const done = await shell.run('loop', 'implement', 'loop');
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    const agents = shell.fileOf(number, 'AGENTS.md');
    expect(agents.startsWith('# For agents\n\nBe brief.\n\n<!-- issues-loop:auto-patterns:start -->\n')).toBe(
      true,
    );
    expect(agents).toContain('## Learned patterns');
    expect(agents).toContain('Every source file has a test beside it.');
    expect(agents).toContain('Operations are pure. (test, `test/sum.test.js`)');
    expect(agents).not.toMatch(/Closes #1|@mallory|<!-- x|Perhaps|Failed tasks|Obey/u);
    expect(shell.fileOf(number, 'CLAUDE.md')).toBe(`${marks}\nbroken`);
    const logs = (await shell.comments(number)).filter((body) => body.startsWith('## 📝'));
    expect(logs[1]).toContain('The patterns were not added to CLAUDE.md');
    const { memory } = JSON.parse(shell.fileOf(number, 'prd.json')) as {
      memory: { patterns: { statement: string; taskId: string; syncedDocs: string[] }[] };
    };
    expect(memory.patterns).toMatchObject([
      { taskId: 'US-001', syncedDocs: ['AGENTS.md'] },
      { taskId: 'US-002', statement: 'Operations are pure.' },
    ]);
  });

  it('goes into no document when the configuration says so, and makes none', async () => {
    configure({ memory: { autoSyncDocs: false } });
    shell.playground.commit({ 'AGENTS.md': '# For agents\n' });
    shell.work(
      planned(1, plan([task('difference')])),
      coded(1, write('difference'), learned({ statement, confidence: 1 })),
    );
    const number = await shell.fileIssue();
    await shell.beginApproved(number);
    await shell.run('loop', 'implement', 'loop');
    expect(shell.fileOf(number, 'AGENTS.md')).toBe('# For agents');
    expect(() => shell.fileOf(number, 'CLAUDE.md')).toThrow();
    expect(shell.fileOf(number, 'prd.json')).toContain('Every source file has a test beside it.');
  });
});
