import { describe, expect, it } from 'vitest';
import { type FailedBuild, failureSignature, renderDiagnosis } from './failure-diagnosis.ts';

const build: FailedBuild = {
  ...{ name: 'ci', attempt: 1, url: 'https://example.com/runs/1', head: 'a'.repeat(40), movedTo: null },
  steps: [
    { job: 'build', step: 'test' },
    { job: 'build', step: 'lint' },
  ],
};

describe('failureSignature', () => {
  it.each<[string, Partial<FailedBuild>, boolean]>([
    ['another order', { steps: [...build.steps].reverse() }, true],
    ['the same step twice', { steps: [...build.steps, ...build.steps] }, true],
    ['another attempt and address', { attempt: 2, url: '' }, true],
    ['another workflow', { name: 'docs' }, false],
    ['fewer steps', { steps: build.steps.slice(1) }, false],
    ['no step', { steps: [] }, false],
    ['names that run together', { steps: [{ job: 'build","test', step: '' }] }, false],
  ])('%s', (_, more, isSame) => {
    expect(failureSignature({ ...build, ...more }) === failureSignature(build)).toBe(isSame);
  });
});

describe('renderDiagnosis', () => {
  const missing = { missing: 'there is no log to read.' };

  it.each<[string, Partial<FailedBuild>, string]>([
    ['links to the run', {}, 'failed on aaaaaaaaaaaa ([its log](https://example.com/runs/1)).'],
    ['names the attempt', { attempt: 3 }, '([its log](https://example.com/runs/1), attempt 3).'],
    ['follows no other kind of address', { url: 'javascript:alert(1)' }, 'failed on aaaaaaaaaaaa.\n'],
    ['nor one that ends the link', { url: 'https://x/) [y](https://z' }, 'failed on aaaaaaaaaaaa.\n'],
    ['says when no step is known', { steps: [] }, 'names no step that failed'],
    [
      'lists twenty steps and counts the rest',
      { steps: Array.from({ length: 23 }, (_, at) => ({ job: 'j', step: `s${at}` })) },
      '- `j`, step `s19`\n- and 3 more\n',
    ],
  ])('%s', (_, more, expected) => {
    expect(renderDiagnosis({ ...build, ...more }, missing)).toContain(expected);
  });
});
