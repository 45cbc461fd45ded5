/** Every fault is found by its name in a workflow that has it, and in none that nearly has it. */
import { describe, expect, it } from 'vitest';
import { badScripts } from '../../../../test/support/bad-workflow-scripts.ts';
import { badSettings } from '../../../../test/support/bad-workflow-settings.ts';
import { goodWorkflows } from '../../../../test/support/good-workflows.ts';
import { checkout, type WorkflowCase, workflow } from '../../../../test/support/workflow-cases.ts';
import { lintWorkflows } from './lint-workflows.ts';
import { rules } from './rule-table.ts';

const bad = [...badScripts, ...badSettings];
const lint = ({ files }: Pick<WorkflowCase, 'files'>) =>
  lintWorkflows(Object.entries(files).map(([path, text]) => ({ path, text })));
const named = (cases: readonly WorkflowCase[]) => cases.map((one) => [one.title, one] as const);

describe('a workflow with a fault', () => {
  it.each(named(bad))('%s', (_, one) => {
    const found = new Set(lint(one).findings.map(({ rule }) => rule));
    expect([...found].sort()).toEqual([...one.faults].sort());
  });

  it('is there for every fault, and there are many', () => {
    const shown = new Set(bad.flatMap(({ faults }) => faults));
    expect(Object.keys(rules).filter((rule) => !shown.has(rule as keyof typeof rules))).toEqual([]);
    expect(bad.length).toBeGreaterThan(60);
    expect(new Set(bad.map(({ title }) => title)).size).toBe(bad.length);
  });
});

describe('a workflow that nearly has one', () => {
  it.each(named(goodWorkflows))('%s', (_, one) => {
    expect(lint(one).findings).toEqual([]);
  });
});

describe('a finding', () => {
  const text = workflow({
    steps: [
      `- uses: ${checkout}`,
      '- run: |',
      '    echo one',
      '',
      '    echo "${{ github.sha }} ${{ github.head_ref }}"',
      '- run: \'echo "${{ github.head_ref }}"\'',
      '- env:',
      '    HEAD: ${{ github.head_ref }}',
      '  run: |',
      '    echo',
      '    eval "$HEAD"',
    ].join('\n'),
  });
  const lines = text.split('\n');

  it('says where it is', () => {
    const { findings } = lint({ files: { 'a.yml': text } });
    const places = findings.map(({ rule, line, column }) => [rule, lines[line - 1]?.slice(column - 1)]);
    expect(places).toEqual([
      ['credentials-persisted', checkout],
      ['script-injection', '${{ github.head_ref }}"'],
      ['script-injection', '${{ github.head_ref }}"\''],
      ['untrusted-eval', '  eval "$HEAD"'],
    ]);
  });

  it('says why and what to do, in a sentence each', () => {
    for (const { when, why, fix } of Object.values(rules)) {
      for (const sentence of [when, why]) expect(sentence).toMatch(/^[A-Z`].*\.$/su);
      expect(fix).toMatch(/^[A-Z]/u);
      expect(fix).not.toContain('\n');
    }
  });

  it('that is allowed is kept with its reason', () => {
    const steps = `- uses: ${checkout} # gatewright: allow credentials-persisted: this job pushes`;
    const { findings, allowed } = lint({ files: { 'a.yml': workflow({ steps }) } });
    expect(findings).toEqual([]);
    expect(allowed).toMatchObject([{ rule: 'credentials-persisted', reason: 'this job pushes' }]);
  });

  it('is cut where the file would make it long', () => {
    const steps = `- uses: ${'x'.repeat(5000)}@v1`;
    const [finding] = lint({ files: { 'a.yml': workflow({ steps }) } }).findings;
    expect(finding?.detail.length).toBeLessThan(200);
  });
});
