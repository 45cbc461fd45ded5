/**
 * One story that every test of the little internet tells: a project, an idea, and what the models say about it. The models
 * answer from what they are shown and remember nothing, so that whoever is killed and asks again gets the same answer.
 */
import { approved, designText, draftText } from '../support/cassettes.ts';
import {
  answerWith,
  type Reply,
  type SeenRequest,
  type ToolUse,
  useTool,
} from '../support/scripted-provider.ts';
import { endWith, takeNextStep, writeFile } from './claude-steps.ts';
import { projectFiles, registryHost } from './package-registry.ts';

export const repositoryName = 'acme/project';
export const brief = 'ideas/active/export-csv.md';
export const issueTitle = 'Reports can be downloaded';

/** What the project holds before anything happens. */
export const startFiles: Readonly<Record<string, string>> = {
  ...projectFiles,
  'README.md': '# Reports\n',
  [brief]: '# Export reports as CSV\n\nPeople copy numbers by hand. They should get a file instead.\n',
};

/** What a person has to say themselves, because no repository may. */
export const userSettings = {
  fleet: {
    setup: 'npm ci --no-audit --no-fund',
    setupHosts: [`${registryHost}:443`],
    verify: 'node --test',
  },
} as const;

const checked = "  if (rows.length > 10000) throw new RangeError('too many rows');\n";
const sourceWith = (check: string): string =>
  `import { toNumber } from 'careful-numbers';\n\nexport function exportReport(rows: readonly string[]): string {\n${check}  return ['number', ...rows.map((row) => String(toNumber(row)))].join('\\n');\n}\n`;

const testsWith = (more: string): string =>
  `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { exportReport } from './export.ts';\n\ntest('three rows are four lines', () => {\n  assert.equal(exportReport(['1', '2', '3']).split('\\n').length, 4);\n});\n${more}`;
const testOfSize =
  "\ntest('too many rows are refused', () => {\n  assert.throws(() => exportReport(Array.from({ length: 10001 }, () => '1')), RangeError);\n});\n";

export const finalSource = sourceWith(checked);

const finding = {
  ...{ path: 'src/export.ts', line: 4, severity: 'major', category: 'bug' },
  ...{ title: 'The size is not checked', detail: 'A report of 10001 rows has to be refused.' },
};

const outcome = (summary: string): ToolUse =>
  endWith({ summary, testing: 'node --test', risk: 'auto-merge', questions: [] });

const runTests: ToolUse = { name: 'Bash', input: { command: 'node --test', description: 'Run the tests' } };

function implement(folder: string): ToolUse[] {
  return [
    ...writeFile(`${folder}/src/export.ts`, sourceWith(''), false),
    ...writeFile(`${folder}/src/export.test.ts`, testsWith(''), false),
    runTests,
    outcome('Reports are exported.'),
  ];
}

function correct(folder: string): ToolUse[] {
  return [
    ...writeFile(`${folder}/src/export.ts`, finalSource, true),
    ...writeFile(`${folder}/src/export.test.ts`, testsWith(testOfSize), true),
    runTests,
    outcome('The size is checked.'),
  ];
}

function answerClaude(seen: SeenRequest): Reply {
  const { text } = seen;
  if (text.includes('Write the issue.')) return answerWith(seen, draftText(issueTitle));
  if (text.includes('Write the design.')) return answerWith(seen, designText(1));
  if (text.includes('You review a change to a software project')) {
    const findings = text.includes('too many rows') ? [] : [finding];
    const summary = findings.length === 0 ? 'Fine.' : 'One thing.';
    return useTool(seen, endWith({ summary, findings }));
  }
  if (text.includes('working on one issue in a checked-out repository')) return takeNextStep(seen, implement);
  if (text.includes('corrects a pull request in a checked-out repository'))
    return takeNextStep(seen, correct);
  return answerWith(seen, 'Hello.');
}

export function answerAsModels(seen: SeenRequest): Reply {
  const isDrafter = seen.provider === 'anthropic' || seen.text.includes('Write the issue.');
  return isDrafter ? answerClaude(seen) : answerWith(seen, approved);
}
