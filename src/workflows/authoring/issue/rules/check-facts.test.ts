/** What a draft says about the repository is compared with the repository: a slip is told with what was meant. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftText } from '../../../../../test/support/cassettes.ts';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { findingSchema } from '../../../../domain/drafts/verdict.ts';
import { checkAgainstFacts, findDependencies } from './check-facts.ts';
import { type RepositoryFacts, readFacts, renderFacts } from './repository-facts.ts';

const facts: RepositoryFacts = {
  files: ['README.md', 'src/index.js', 'src/parse/duration.js', 'test.js'],
  labels: ['bug', 'enhancement', 'Good First Issue'],
  issues: [{ number: 4, title: 'Parse durations with a comma' }],
  readme: '# ms',
  isPartial: false,
};

function draftWith(section: string, body: string): string {
  return `# T\n\n**Labels:** \`bug\`\n\n## ${section}\n\n${body}\n`;
}

const found = (draft: string, missing: readonly number[] = [], about = facts): string[] =>
  checkAgainstFacts(draft, about, missing).map(({ tier, problem }) => `${tier}: ${problem}`);

describe('files', () => {
  it.each([
    ['- `src/index.js`: the limit', []],
    ['- `src/`: everything', []],
    ['- `src/limit.js` (new): the limit', []],
    ['- create `docs/limits.md`', []],
    ['- `src/indx.js`: the limit', ['blocking: There is no `src/indx.js`. Did you mean `src/index.js`?']],
    [
      '- `duration.js`: the comma',
      ['blocking: There is no `duration.js`. Did you mean `src/parse/duration.js`?'],
    ],
    ['- `lib/windows/registry.c`: x', ['suggestion: There is no `lib/windows/registry.c`.']],
    ['- `../outside.js`: x', ['blocking: `../outside.js` is not a path inside the repository.']],
    ['- `.git/config`: x', ['blocking: `.git/config` is not a path inside the repository.']],
    ['- the parser', []],
    ['- `parse()` in `src/index.js`', []],
    ['_Not in the brief: which files change._', []],
  ])('%j', (body, expected) => {
    expect(found(draftWith('Files to Create/Modify', body))).toEqual(expected);
  });

  it('is silent about files when the list of them was cut', () => {
    const draft = draftWith('Files to Create/Modify', '- `src/indx.js`: x');
    expect(found(draft, [], { ...facts, isPartial: true })).toEqual([]);
  });
});

describe('labels', () => {
  it.each([
    ['`bug`', []],
    ['`BUG`, `good first issue`', []],
    ['`phase-2`', ['suggestion: There is no label `phase-2`.']],
    ['`enhancment`', ['blocking: There is no label `enhancment`. Did you mean `enhancement`?']],
    ['`security`', ['suggestion: There is no label `security`.']],
    ['`ui`', ['suggestion: There is no label `ui`.']],
  ])('%s', (labels, expected) => {
    expect(found(`# T\n\n**Labels:** ${labels}\n`)).toEqual(expected);
  });

  it('is silent where there are no labels yet', () => {
    expect(found('# T\n\n**Labels:** `enhancment`\n', [], { ...facts, labels: [] })).toEqual([]);
  });
});

describe('dependencies', () => {
  it('are the numbers of this repository, outside code', () => {
    const text = '- #4 and #12\n- other/repo#7, `#8`, #0, #x\n';
    expect(findDependencies(draftWith('Dependencies', text))).toEqual([4, 12]);
  });

  it('that do not exist are told, with open issues that speak of the same', () => {
    const draft = draftWith('Dependencies', '- #40: durations');
    expect(found(draft, [40])).toEqual([
      'blocking: There is no #40 here. Did you mean #4 (`Parse durations with a comma`)?',
    ]);
    expect(found(draftWith('Dependencies', '- #41'), [41])).toEqual(['blocking: There is no #41 here.']);
  });
});

describe('any draft', () => {
  it('gives findings that a verdict can hold', () => {
    const fragments = [
      '## Files to Create/Modify\n\n',
      '## Dependencies\n\n',
      '- `a/b',
      '`',
      '#',
      '1',
      '**Labels:** ',
      '\n',
      'src/indx.js',
      '../',
      ' new',
      'x'.repeat(300),
    ];
    fc.assert(
      fc.property(hostileText(fragments), (text) => {
        for (const one of checkAgainstFacts(text, facts, findDependencies(text))) findingSchema.parse(one);
      }),
      { numRuns: 300 },
    );
  });

  it('passes where it says nothing about the repository', () => {
    expect(found(draftText('T', {})).filter((line) => line.startsWith('blocking'))).toEqual([]);
  });
});

describe('the facts of a prompt', () => {
  it('are fenced, bounded and read back', () => {
    const many = {
      ...facts,
      issues: Array.from({ length: 300 }, (_, at) => ({ number: at + 1, title: 'x'.repeat(500) })),
    };
    const text = renderFacts(many);
    expect(text.match(/^#\d+ /gmu)).toHaveLength(100);
    expect(text).toContain('src/parse/duration.js');
    expect(text.match(/<<<BEGIN (?:FILES|LABELS|ISSUES|README) /gu)).toHaveLength(4);
    expect(readFacts(JSON.stringify(facts))).toEqual(facts);
    expect(readFacts('The files there are: …')).toBeNull();
    expect(readFacts(null)).toBeNull();
  });
});
