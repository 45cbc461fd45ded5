import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLoopConfig } from '../planning/loop-config.ts';
import { checkTasks, countSentences, isTooBig, type TaskFinding } from './check-tasks.ts';
import { readPrd } from './prd.ts';

function findingsOf(story: Record<string, unknown>, sizing: Record<string, unknown> = {}): TaskFinding[] {
  const userStories = [
    {
      id: 'US-001',
      title: 'Add one endpoint',
      description: 'Adds GET /health.',
      acceptanceCriteria: ['GET /health returns 200'],
      verifyCommands: ['npm test'],
      passes: false,
      ...story,
    },
  ];
  const prd = readPrd(JSON.stringify({ project: 'p', branchName: 'ai/issue-1-p', userStories }));
  const config = readLoopConfig(JSON.stringify({ execution: { taskSizing: sizing } }));
  if ('problems' in prd || 'problems' in config) throw new Error(JSON.stringify([prd, config]));
  return checkTasks(prd.prd, config.config);
}

const pathsOf = (...given: Parameters<typeof findingsOf>): string[] =>
  findingsOf(...given).map(({ path }) => path);

describe('the size of a task', () => {
  it.each([
    ['Build the dashboard', true],
    ['Add authentication', true],
    ['Refactor the API', true],
    ['Build the user dashboard', true],
    ['Rewrite the whole backend', true],
    ['Implement everything', true],
    ['Create frontend and backend', true],
    ['Das Dashboard bauen', true],
    ['Authentifizierung hinzufügen', true],
    ['Die gesamte Anwendung umbauen', true],
    ['API refaktorieren', true],
    ['Add one database migration', false],
    ['Create one API endpoint', false],
    ['Add one UI component', false],
    ['Write tests for one module', false],
    ['Add authentication middleware', false],
    ['Create auth middleware', false],
    ['Add column priority to the table tasks', false],
    ['Refactor the retry rule of the API client', false],
    ['Endpunkt GET /health hinzufügen', false],
    ['Task title', false],
    ['', false],
  ])('"%s" is too big: %s', (title, expected) => {
    expect(isTooBig(title)).toBe(expected);
  });

  it.each([
    ['', 0],
    ['One.', 1],
    ['One. Two! Three?', 3],
    ['See e.g. src/a.ts v1.2.3, i.e. the first.', 1],
    ['Uses `a. b. c.` here', 1],
    ['Das ist z. B. gut. Und das.', 2],
    ['Does:\n- one\n- two\n- three', 4],
    ['1. a\n2. b', 2],
    ['He said "yes." Then left...', 2],
  ])('"%s" has %s sentences', (text, count) => {
    expect(countSentences(text)).toBe(count);
  });

  it('is limited in sentences, criteria, commands and files', () => {
    const many = {
      title: 'Build the dashboard',
      description: 'One. Two. Three. Four.',
      acceptanceCriteria: Array.from({ length: 11 }, (_, at) => `GET /${at} returns 200`),
      verifyCommands: Array.from({ length: 7 }, (_, at) => `npm run test -- ${at}`),
      files: Array.from({ length: 13 }, (_, at) => `src/${at}.ts`),
    };
    const fields = ['title', 'description', 'acceptanceCriteria', 'verifyCommands', 'files'];
    expect(pathsOf(many)).toEqual(fields.map((field) => `userStories[0].${field}`));
    expect(findingsOf(many).every(({ isBlocking }) => isBlocking)).toBe(true);
    expect(findingsOf(many, { hardFailOnOversized: false }).some(({ isBlocking }) => isBlocking)).toBe(false);
    expect(pathsOf(many, { enabled: false })).toEqual([]);
    expect(
      pathsOf(many, {
        maxFiles: 13,
        maxVerifyCommands: 7,
        maxAcceptanceCriteria: 11,
        maxDescriptionSentences: 4,
      }),
    ).toEqual(['userStories[0].title']);
  });
});

describe('the proof of a task', () => {
  it('is a command', () => {
    expect(findingsOf({ verifyCommands: [] })).toMatchObject([
      {
        path: 'userStories[0].verifyCommands',
        isBlocking: true,
        suggestion: expect.stringContaining('npm run test'),
      },
    ]);
  });

  it.each([
    'true',
    ':',
    'exit 0',
    'echo ok',
    'npm test || true',
    'npm test || :',
    'npm test; true',
    'npm test; exit 0',
    'npm test || echo failed',
    ' true ;',
  ])('is no command that always ends well: %s', (command) => {
    expect(pathsOf({ verifyCommands: [command] })).toEqual(['userStories[0].verifyCommands[0]']);
  });

  it.each([
    'npm test',
    'npm test && echo ok',
    'curl -s localhost:3000/health | jq .status',
    'test -f src/a.ts',
    'bash -n x.sh && echo "syntax ok"',
    "grep -q '## A' b.md",
  ])('may be %s', (command) => {
    expect(pathsOf({ verifyCommands: [command] })).toEqual([]);
  });

  it('is asked for each criterion', () => {
    expect(pathsOf({ acceptanceCriteria: ['Code is clean', 'npm test passes', 'Works correctly'] })).toEqual([
      'userStories[0].acceptanceCriteria[0]',
      'userStories[0].acceptanceCriteria[2]',
    ]);
    expect(pathsOf({ acceptanceCriteria: [] })).toEqual(['userStories[0].acceptanceCriteria']);
  });

  it('is not asked of a task that has passed', () => {
    expect(pathsOf({ acceptanceCriteria: ['Code is clean'], verifyCommands: [], passes: true })).toEqual([]);
  });
});

it('says for every finding what to do, whatever the texts are', () => {
  const text = fc.string({ minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (description, acceptanceCriteria) => {
      for (const { message, suggestion, path } of findingsOf({ description, acceptanceCriteria })) {
        expect(message).not.toBe('');
        expect(suggestion).toMatch(/\.$/u);
        expect(path).toMatch(/^userStories\[0\]\./u);
      }
    }),
    { numRuns: 100 },
  );
});
