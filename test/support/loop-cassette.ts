/** A planner and a coding agent for loops: they edit real files, and fail where a test wants them to. */
import type { CassetteWork } from '../../src/domain/recordings/cassette-work.ts';
import type { Playground } from './playground.ts';

export type Work = Omit<CassetteWork, 'usage'> & { readonly usage?: Partial<CassetteWork['usage']> };

const operations: Readonly<Record<string, { readonly body: string; readonly ofThreeAndTwo: number }>> = {
  difference: { body: 'a - b', ofThreeAndTwo: 1 },
  product: { body: 'a * b', ofThreeAndTwo: 6 },
  quotient: { body: 'a / b', ofThreeAndTwo: 1.5 },
};

/** A small calculator with its tests, the tasks that add to it, and what an agent writes for them. */
function makeProject(language: 'js' | 'ts') {
  const isTyped = language === 'ts';
  const head = isTyped ? '(a: number, b: number): number' : '(a, b)';
  const source = (name: string, body: string): string =>
    `export function ${name}${head} {\n  return ${body};\n}\n`;
  const test = (name: string, title: string, call: string, expected: number): string =>
    `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${name} } from '../src/${name}.${language}';\n\ntest('${title}', () => assert.equal(${call}, ${expected}));\n`;
  const testOf = (name: string): string => `test/${name}.test.${language}`;
  return {
    files: {
      'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
      [`src/sum.${language}`]: source('sum', 'a + b'),
      [testOf('sum')]: test('sum', 'adds', 'sum(1, 2)', 3),
    } as Readonly<Record<string, string>>,
    task: (name: string, more: object = {}) => ({
      title: `Add ${name}`,
      description: `Write ${name} in src/${name}.${language} with a test.`,
      files: [`src/${name}.${language}`, testOf(name)],
      acceptanceCriteria: [`File exists: src/${name}.${language}`, `node --test ${testOf(name)} passes`],
      verifyCommands: [`node --test ${testOf(name)}`],
      dependsOn: [],
      ...more,
    }),
    /** The files of a task; a wrong one fails its test. */
    write: (name: string, isRight = true): CassetteWork['steps'] => {
      const { body, ofThreeAndTwo } = operations[name] ?? { body: 'a', ofThreeAndTwo: 3 };
      return [
        { write: `src/${name}.${language}`, content: source(name, isRight ? body : '0') },
        { write: testOf(name), content: test(name, name, `${name}(3, 2)`, ofThreeAndTwo) },
      ];
    },
  };
}

export const { files: loopFiles, task, write } = makeProject('js');
/** The same in TypeScript, which Node runs as it is. */
export const typed = makeProject('ts');

export const plan = (tasks: readonly object[], more: object = {}) => ({
  summary: 'The calculator gets more operations.',
  approach: 'One file for each, with its test.',
  risks: [],
  formula: 'feature',
  tasks,
  networkHosts: [],
  globalVerifyCommands: ['node --test test/sum.test.js'],
  ...more,
});

export const report = (more: object = {}) => ({
  summary: 'Wrote it.',
  changes: [],
  learnings: 'Tests are beside the sources.',
  nextAttempt: '',
  search: { queries: ['rg sum src', 'rg test test'], filesInspected: ['src/sum.js'] },
  discovered: [],
  note: null,
  wisp: null,
  ...more,
});

export const planned = (call: number, object: object): Work => ({
  ...{ role: 'loop-planner', call, request: { includes: ['BEGIN'] }, steps: [] },
  outcome: { text: '', object },
});

export const coded = (call: number, steps: CassetteWork['steps'], object: object = report()): Work => ({
  ...{ role: 'loop-coder', call, request: { includes: ['BEGIN'] }, steps },
  outcome: { text: '', object },
});

export const debugged = (call: number, steps: CassetteWork['steps']): Work => ({
  ...coded(call, steps),
  role: 'loop-debugger',
});

/** Writes the cassette beside the repository; returns the models to set. */
export function writeLoopCassette(playground: Playground, work: readonly Work[]): Record<string, string> {
  const cassette = {
    format: 'gatewright-cassette/1',
    about: 'A loop.',
    models: { coder: { name: 'claude-sonnet-4-5', title: 'Claude' } },
    work,
  };
  const file = playground.write('../loop-cassette.json', JSON.stringify(cassette));
  return { GATEWRIGHT_CODER: `cassette:${file}`, GATEWRIGHT_PLANNER: `cassette:${file}` };
}
