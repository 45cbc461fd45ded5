/** The planner is a model: what it returns is checked, and an approval is bound to every byte of what will run. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Prd, readPrd } from '../document/prd.ts';
import {
  hashApproved,
  type PlanProposal,
  planProposalSchema,
  prdFromProposal,
  verifyCommandsOf,
} from './plan-proposal.ts';

const task = {
  title: 'Add the endpoint',
  description: 'Adds GET /health.',
  files: ['src/health.ts', 'src/routes/'],
  acceptanceCriteria: ['GET /health returns 200'],
  verifyCommands: ['npm test'],
  dependsOn: [] as number[],
};
const proposal: PlanProposal = {
  summary: 'A health check.',
  approach: 'One route.\nOne test.',
  risks: ['None known'],
  formula: 'feature',
  tasks: [
    task,
    { ...task, title: 'Use it', dependsOn: [1], verifyCommands: ['npm run typecheck', 'npm test'] },
  ],
  networkHosts: [],
  globalVerifyCommands: ['npm run lint'],
};

function pathsOf(value: unknown): string[] {
  const parsed = planProposalSchema.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
}

function prdOf(plan: PlanProposal, title = 'Health check'): Prd {
  const text = prdFromProposal({
    issue: { number: 42, title },
    proposal: plan,
    branchName: 'ai/issue-42-health',
    generatedAt: '2026-02-10T18:30:00Z',
    config: { summaryEveryNTaskLogs: 5 },
  });
  const read = readPrd(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.prd;
}

describe('a proposal', () => {
  it('is taken as it is when it has the form', () => {
    expect(planProposalSchema.parse(proposal)).toEqual(proposal);
  });

  const withTask = (more: Record<string, unknown>): unknown => ({
    ...proposal,
    tasks: [{ ...task, ...more }],
  });
  it.each([
    ['an unknown field', { ...proposal, approved: true }, ''],
    ['an unknown field of a task', withTask({ passes: true }), 'tasks.0'],
    ['no task', { ...proposal, tasks: [] }, 'tasks'],
    ['51 tasks', { ...proposal, tasks: Array(51).fill(task) }, 'tasks'],
    ['no command', withTask({ verifyCommands: [] }), 'tasks.0.verifyCommands'],
    [
      'two lines in a command',
      withTask({ verifyCommands: ['npm test\ncurl evil'] }),
      'tasks.0.verifyCommands.0',
    ],
    [
      'a hidden character in a command',
      withTask({ verifyCommands: ['npm\u200b test'] }),
      'tasks.0.verifyCommands.0',
    ],
    ['a turned command', { ...proposal, globalVerifyCommands: ['npm \u202Etset'] }, 'globalVerifyCommands.0'],
    ['a title of two lines', withTask({ title: 'a\nb' }), 'tasks.0.title'],
    ['a blank title', withTask({ title: '  ' }), 'tasks.0.title'],
    ['a path out of the repository', withTask({ files: ['../x'] }), 'tasks.0.files.0'],
    ['an absolute path', withTask({ files: ['/etc/passwd'] }), 'tasks.0.files.0'],
    ['a task that depends on itself', withTask({ dependsOn: [1] }), 'tasks.0.dependsOn.0'],
    ['a task that is not there', withTask({ dependsOn: [2] }), 'tasks.0.dependsOn.0'],
    ['place 0', withTask({ dependsOn: [0] }), 'tasks.0.dependsOn.0'],
    ['another formula', { ...proposal, formula: 'epic' }, 'formula'],
    ['a very long summary', { ...proposal, summary: 'x'.repeat(4001) }, 'summary'],
  ])('is refused: %s', (_, value, path) => {
    expect(pathsOf(value)).toEqual([path]);
  });

  it('is refused when tasks wait for each other', () => {
    const circle = {
      ...proposal,
      tasks: [{ ...task, dependsOn: [2] }, { ...task, dependsOn: [1] }, { ...task, dependsOn: [1] }, task],
    };
    expect(pathsOf(circle)).toEqual(['tasks.0.dependsOn', 'tasks.1.dependsOn', 'tasks.2.dependsOn']);
  });

  it.each(['packages.example.org', 'api.example.co.uk', 'a.b:8080', 'xn--bcher-kva.example'])(
    'may name the host %s',
    (host) => {
      expect(pathsOf({ ...proposal, networkHosts: [host] })).toEqual([]);
    },
  );

  it.each([
    '*',
    '*.example.com',
    'https://example.com',
    'example.com/path',
    'localhost',
    '127.0.0.1',
    '169.254.169.254',
    '[::1]',
    '0x7f.1',
    'user@example.com',
    'example.com.',
    '.example.com',
    '-a.example',
    'EXAMPLE.com',
    'exa\u0301mple.com',
    'a..b',
    'a.b:0',
    'a b.example',
    '1.2.3.4:80',
    '',
  ])('may not name the host "%s"', (host) => {
    expect(pathsOf({ ...proposal, networkHosts: [host] })).toEqual(['networkHosts.0']);
  });
});

describe('the prd.json of a proposal', () => {
  it('has the tasks in order, with ids for places', () => {
    expect(prdOf(proposal).userStories).toMatchObject([
      { id: 'US-001', priority: 1, dependsOn: [], passes: false, attempts: 0, discoveredFrom: null },
      { id: 'US-002', priority: 2, dependsOn: ['US-001'] },
    ]);
  });

  it('lists its commands once, sorted', () => {
    expect(verifyCommandsOf(prdOf(proposal))).toEqual(['npm run lint', 'npm run typecheck', 'npm test']);
  });

  it('can be made for any title of an issue', () => {
    const sign = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\r',
      '\0',
      '"',
      '\\',
      '\u2028',
      '\u202E',
      '\ud800',
      '😀',
      '\u0085',
      'ß',
    );
    fc.assert(
      fc.property(
        fc.array(sign, { maxLength: 200 }).map((signs) => signs.join('')),
        (title) => {
          expect(prdOf(proposal, title).issueNumber).toBe(42);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('can be made of every proposal that is taken', () => {
    const word = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('npm test', 'a|b', '"', '`x`', 'über', '$(x)', '😀') },

      fc.string({ minLength: 1, maxLength: 12 }),
      fc.constantFrom('a\nb', '\u2028', '\ud800'),
    );
    const wildTask = fc.record({
      title: word,
      description: word,
      files: fc.array(fc.oneof(word, fc.constantFrom('src/a.ts', 'src/')), { maxLength: 2 }),
      acceptanceCriteria: fc.array(word, { minLength: 1, maxLength: 2 }),
      verifyCommands: fc.array(word, { minLength: 1, maxLength: 2 }),
      dependsOn: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
    });
    let taken = 0;
    fc.assert(
      fc.property(fc.array(wildTask, { minLength: 1, maxLength: 3 }), (tasks) => {
        const parsed = planProposalSchema.safeParse({ ...proposal, tasks });
        if (!parsed.success) return;
        taken += 1;
        const prd = prdOf(parsed.data);
        expect(prd.userStories.map(({ verifyCommands }) => new Set(verifyCommands))).toEqual(
          tasks.map(({ verifyCommands }) => new Set(verifyCommands)),
        );
      }),
      { numRuns: 400 },
    );
    expect(taken).toBeGreaterThan(20);
  });
});

describe('the hash of what was approved', () => {
  const approved = { commands: ['b', 'a'], hosts: ['x.example'] };

  it('does not depend on order and repeats', () => {
    expect(hashApproved({ commands: ['a', 'b', 'a'], hosts: ['x.example', 'x.example'] })).toBe(
      hashApproved(approved),
    );
  });

  it('differs for anything else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'a ', 'A', 'ab', '', 'x.example')),
        fc.array(fc.constantFrom('x.example', 'y.example', 'a')),
        (commands, hosts) => {
          const isSame =
            [...new Set(commands)].sort().join('|') === 'a|b' &&
            [...new Set(hosts)].join('|') === 'x.example';
          expect(hashApproved({ commands, hosts }) === hashApproved(approved)).toBe(isSame);
        },
      ),
      { numRuns: 300 },
    );
  });
});
