import { expect, it } from 'vitest';
import { thrownCode } from '../../../../../test/support/thrown-code.ts';
import { readPrd } from './prd.ts';
import { makePrd, type NewPrd } from './write-prd.ts';

const task = {
  title: 'Add the endpoint',
  description: 'Adds GET /health.',
  files: ['src/health.ts'],
  dependsOn: [],
  priority: 1,
  acceptanceCriteria: ['GET /health returns 200'],
  verifyCommands: ['npm test'],
};
const plan: NewPrd = {
  project: 'health',
  issueNumber: 42,
  branchName: 'ai/issue-42-health',
  description: 'A health check',
  generatedAt: '2026-02-10T18:30:00Z',
  formula: 'feature',
  summaryEveryNTaskLogs: 5,
  userStories: [task, { ...task, title: 'Use it', dependsOn: [1], priority: 2, phase: 'UI' }],
  globalVerifyCommands: ['npm run lint'],
};

it('writes two spaces, the order of the document and a line break at the end', () => {
  const text = makePrd(plan);
  expect(text.startsWith('{\n  "project": "health",\n  "issueNumber": 42,\n  "branchName":')).toBe(true);
  expect(text.endsWith('}\n')).toBe(true);
  const keys = Object.keys((JSON.parse(text) as { userStories: [object] }).userStories[0]);
  const documented = [
    'id',
    'title',
    'description',
    'acceptanceCriteria',
    'verifyCommands',
    'passes',
    'attempts',
  ];
  expect(keys.filter((key) => documented.includes(key))).toEqual(documented);
});

it('is read back as it was meant', () => {
  expect(readPrd(makePrd(plan))).toMatchObject({
    prd: {
      formula: 'feature',
      userStories: [
        { id: 'US-001', dependsOn: [], passes: false, attempts: 0 },
        { id: 'US-002', dependsOn: ['US-001'], phase: 'UI' },
      ],
    },
  });
});

it('refuses a plan that makes no valid file', () => {
  for (const broken of [
    { userStories: [] },
    { userStories: [{ ...task, dependsOn: [2] }] },
    { branchName: 'a b' },
    { userStories: [{ ...task, verifyCommands: ['a\nb'] }] },
  ])
    expect(thrownCode(() => makePrd({ ...plan, ...broken }))).toBe('prd-invalid');
});
