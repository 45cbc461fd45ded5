/** The drafter of an issue is told what is there, and what it invents is found before a reviewer is paid. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { readPrompts } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';

const brief = 'ideas/active/export-csv.md';

let playground: Playground;

beforeEach(async () => {
  playground = new Playground();
  playground.write('README.md', '# The project\n\nIt counts words.\n');
  playground.write('src/reports/export.ts', 'export {};\n');
  playground.git('add', '-A');
  playground.git('commit', '-qm', 'more');
  await playground.run(['forge', 'issue', 'create', '--title', 'Reports have no names', '--body', 'x']);
});

afterEach(() => playground.remove());

describe('drafting an issue with a model', () => {
  it('gives it files, labels, open issues and the README, and sends back what is not there', async () => {
    const wrong = draftText('Export', {})
      .replace(
        /## Files to Create\/Modify\n\n[^#]*/u,
        '## Files to Create/Modify\n\n- `src/reports/exprt.ts`: writes it\n\n',
      )
      .replace(/## Dependencies\n\n[^#]*/u, '## Dependencies\n\n- #40: reports\n\n');
    const right = wrong.replace('exprt.ts', 'export.ts').replace('#40', '#1');
    const models = writeCassette(playground.folder, 'facts', {
      drafts: [wrong, right],
      verdicts: [approved],
    });
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
    expect(result.code, result.all).toBe(0);
    const [first = '', second = ''] = await readPrompts(playground, 'drafter');
    for (const words of [
      'src/reports/export.ts',
      '#1 Reports have no names',
      'It counts words.',
      '<<<BEGIN LABELS',
    ])
      expect(first).toContain(words);
    expect(first).toContain('The brief is what a person wants');
    const plain = second.replaceAll('\\', '');
    // No reviewer was asked about the first draft.
    expect(await readPrompts(playground, 'reviewer')).toHaveLength(1);
    expect(plain).toContain('There is no `src/reports/exprt.ts`. Did you mean `src/reports/export.ts`?');
    expect(plain).toContain('There is no #40 here. Did you mean #1 (`Reports have no names`)?');
  });

  it('stops at the gate with what the model asks, and pays no reviewer for it', async () => {
    const asks = draftText('Export', {}).replace(
      /## Open Questions\n\n[^#]*/u,
      '## Open Questions\n\n- [ ] Which separator?\n\n',
    );
    const models = writeCassette(playground.folder, 'asks', { drafts: [asks], verdicts: [] });
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models]);
    expect(result.code, result.all).toBe(10);
    expect(result.stderr).toContain('  - Which separator?\n');
    expect(await readPrompts(playground, 'reviewer')).toEqual([]);
  });
});
