/** A planner and a coding agent for loops: they edit real files, and fail where a test wants them to. */
import type { CassetteWork } from '../../src/domain/recordings/cassette-work.ts';
import type { Playground } from './playground.ts';

export type Work = Omit<CassetteWork, 'usage'> & { readonly usage?: Partial<CassetteWork['usage']> };

export const loopFiles = {
  'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/sum.js': 'export function sum(a, b) {\n  return a + b;\n}\n',
  'test/sum.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\n\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
};

export const task = (name: string, more: object = {}) => ({
  title: `Add ${name}`,
  description: `Write ${name} in src/${name}.js with a test.`,
  files: [`src/${name}.js`, `test/${name}.test.js`],
  acceptanceCriteria: [`File exists: src/${name}.js`, `node --test test/${name}.test.js passes`],
  verifyCommands: [`node --test test/${name}.test.js`],
  dependsOn: [],
  ...more,
});

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

const sources: Readonly<Record<string, string>> = {
  difference: 'a - b',
  product: 'a * b',
  quotient: 'a / b',
};

/** The files of a task; a wrong one fails its test. */
export function write(name: string, isRight = true): CassetteWork['steps'] {
  const body = isRight ? (sources[name] ?? 'a') : '0';
  const expected = { difference: 1, product: 6, quotient: 1.5 }[name] ?? 3;
  return [
    { write: `src/${name}.js`, content: `export function ${name}(a, b) {\n  return ${body};\n}\n` },
    {
      write: `test/${name}.test.js`,
      content: `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n\ntest('${name}', () => assert.equal(${name}(3, 2), ${expected}));\n`,
    },
  ];
}

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
