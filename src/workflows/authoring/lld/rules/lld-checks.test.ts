/** The checks of a design, each with a design that passes and one that does not, and texts that are only meant to hurt. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { designText } from '../../../../../test/support/cassettes.ts';
import { checkLldDraft } from './lld-checks.ts';

const facts = { issue: 7, files: ['README.md', 'docs/guide.md', 'tools/report/build.py'] };
const good = designText(7);

function problems(draft: string, more: Partial<typeof facts> = {}): string[] {
  return checkLldDraft(draft, { ...facts, ...more })
    .filter((finding) => finding.tier === 'blocking')
    .map((finding) => finding.problem);
}

function warnings(draft: string): string[] {
  return checkLldDraft(draft, facts)
    .filter((finding) => finding.tier === 'suggestion')
    .map((finding) => finding.problem);
}

/** The good design with something replaced; a pattern that fits nothing is a mistake in the test. */
function changed(from: string | RegExp, to: string): string {
  const text = good.replace(from, () => to);
  expect(text).not.toBe(good);
  return text;
}

describe('a good design', () => {
  it('passes without a remark', () => {
    expect(checkLldDraft(good, facts)).toEqual([]);
  });

  it.each<[string, string | RegExp, string]>([
    ['with Windows line ends', /\n/gu, '\r\n'],
    ['with its issue as #7', '# LLD-7: Reports', '# #7 Reports'],
    ['with its issue as a leading number', '# LLD-7: Reports', '# 7 - HTTP 2 Reports'],
    ['with another number in its title', 'Reports can', 'HTTP 2 reports can'],
    ['with colons after the numbers', '### 2.1 Files', '### 2.1: Files'],
    ['with other words for changes', '| Modify |', '| update |'],
    ['with a bold change', '| Modify |', '| **Modify** |'],
    ['with a leading ./', '`README.md` | Mod', '`./README.md` | Mod'],
    ['with a path that is not in back-ticks', '| `src/export.ts` |', '| src/export.ts |'],
    ['with a link', '| `src/export.ts` |', '| [src/export.ts](src/export.ts) |'],
    ['with (Directory) at the path', '| `src/` | Add (Directory) |', '| `src` (Directory) | Add |'],
    ['with a media type in section 12', 'all tests pass', '`text/csv` is sent'],
    ['with a package in section 12', 'all tests pass', '`@acme/export` and `node:fs` are used'],
    ['with and/or in section 12', 'all tests pass', 'tests and/or checks pass'],
    ['with a folder in section 12', 'all tests pass', '`src/` holds all'],
    ['with a bare file name in section 12', 'all tests pass', '`export.ts` is tested'],
    ['with a number beside a vague word', 'the file has 4 lines', 'fast: under 2 seconds'],
    ['with a vague word in back-ticks', 'the file has 4 lines', '`fast-check` finds nothing'],
    [
      'with remarks beside the scenarios',
      '### 10.2',
      '- Set up properly before, by hand (manual).\n\n### 10.2',
    ],
    ['with braces in code', 'One function makes', '`{one sentence}` makes'],
    ['with a set in braces', 'One function makes', 'The set {a, b} and /users/{id} make'],
  ])('%s passes too', (_, from, to) => {
    const text = good.replace(from, () => to);
    expect(problems(text)).toEqual([]);
  });

  it('may put the columns as it likes, and use several tables', () => {
    const table = `| Change | File | Why |
|---|---|---|
| Add (Directory) | src | x |
| Add | src/export.ts | x |

Then:

| Path | Action |
|---|---|
| src/export.test.ts | Add |
| README.md | Modify |
`;
    expect(problems(changed(/\| File \| Change[\s\S]*?(?=### 2.2)/u, `${table}\n`))).toEqual([]);
  });

  it('may name files as Python does, without back-ticks', () => {
    const text = changed('| `README.md` | Modify', '| tools/__init__.py | Modify');
    expect(problems(text, { files: ['tools/__init__.py'] })).toEqual([]);
  });
});

describe('what blocks', () => {
  it.each<[string, string | RegExp, string, string]>([
    ['(2) section 1 is missing', '## 1. Context', '## Context', '"## 1" is missing'],
    ['(2) section 2.1 is missing', '### 2.1 Files', '### Files', '"### 2.1" is missing'],
    ['(2) section 3 is missing', '## 3. Req', '## Req', '"## 3" is missing'],
    ['(2) section 10.1 is missing', '### 10.1 Test', '### Test', '"### 10.1" is missing'],
    ['(2) section 11 is missing', '## 11. Risks', '## Risks', '"## 11" is missing'],
    ['(2) section 12 is missing', '## 12. Def', '## Def', '"## 12" is missing'],
    ['section 11 is empty', /## 11. Risks[\s\S]*?(?=## 12)/u, '## 11. Risks\n\n', '"## 11" is empty'],
    ['(3) another issue', '# LLD-7:', '# LLD-8:', 'speaks of #8; this is the design of #7'],
    ['(3) no issue', '# LLD-7: Reports', '# Reports over HTTP 7', 'names no issue'],
    ['(4) no table', /\| File \| Change[\s\S]*?(?=### 2.2)/u, 'All of them.\n\n', 'no table of files'],
    [
      '(4) a table without rows',
      /(\|---\|---\|---\|\n)\| `src\/`[\s\S]*?(?=\n### 2.2)/u,
      '|---|---|---|\n',
      'no table of files',
    ],
    ['(4) an unknown change', '| Modify |', '| Rename |', '"Rename" for `README.md` is no kind'],
    ['(4) a change that every object has', '| Modify |', '| constructor |', '"constructor" for'],
    ['(4) an empty change', '| Modify |', '| |', '"" for `README.md`'],
    ['(4) two files in a row', '| `README.md` |', '| `README.md`, `docs/guide.md` |', 'is not a path inside'],
    ['a file twice', '| `src/export.test.ts` | Add', '| `src/export.ts` | Add', 'is listed twice'],
    [
      '(6) a folder after its files',
      /(\| `src\/`[^\n]*\n)(\| `src\/export.ts`[^\n]*\n)/u,
      '| `src/export.ts` | Add | x |\n| `src/` | Add (Directory) | x |\n',
      'is declared after `src/export.ts`',
    ],
    [
      '(7) a file to change that is not there',
      '`README.md` | Modify',
      '`REDAME.md` | Modify',
      'does not exist, so it cannot be changed. Did you mean `README.md`?',
    ],
    [
      '(7) a file to delete that is not there',
      '`README.md` | Modify',
      '`gone.md` | Delete',
      '`gone.md` does not exist',
    ],
    [
      '(7) a file of that name elsewhere',
      '`README.md` | Modify',
      '`guide.md` | Modify',
      'Did you mean `docs/guide.md`?',
    ],
    ['(7) a file to add that is there', '`README.md` | Modify', '`README.md` | Add', 'exists already'],
    ['(7) a folder to add as a file', '`README.md` | Modify', '`docs` | Add', 'exists already'],
    [
      '(7) folders from nowhere',
      '`README.md` | Modify',
      '`a/b/c.md` | Add',
      'where the folder `a/b` of `a/b/c.md` comes from',
    ],
    ['(7) a file inside a file', '`README.md` | Modify', '`README.md/a.md` | Add', '`README.md` is a file'],
    ['(8) src that is only guessed', /\| `src\/`[^\n]*\n/u, '', 'There is no folder `src/`'],
    ['(8) lib that is only guessed', '`README.md` | Modify', '`lib/x.ts` | Add', 'There is no folder `lib/`'],
    ['(8) app that is only guessed', '`README.md` | Modify', '`app/x.ts` | Add', 'There is no folder `app/`'],
    [
      '(9) a path only in section 12',
      'all tests pass',
      '`src/other.ts` works',
      '`src/other.ts` is not among',
    ],
    ['(9) one outside back-ticks', 'all tests pass', 'docs/other.md exists.', '`docs/other.md` is not among'],
    ['(9) one at the root', 'all tests pass', '`LICENSE` is changed', ''],
    ['(9) one outside the repository', 'all tests pass', '`../x` and `/etc/passwd`', '`../x` is not among'],
    ['no requirements', /1\. A report[\s\S]*?(?=## 4)/u, 'Everything works.\n\n', 'no list of requirements'],
    ['a requirement that nothing tries', '(REQ-2)', '', 'No scenario tries REQ-2.'],
    ['a requirement that is not there', '(REQ-2)', '(REQ-2) (REQ-9)', 'REQ-9, which section 3 does not have'],
    ['a vague scenario', 'the file has 4 lines', 'it works properly', 'cannot pass or fail: "properly"'],
    [
      'a scenario that does not say when it passes',
      'the file has 4 lines ',
      '',
      'does not say when it passes',
    ],
    ['a manual scenario without reason', '| Auto | the file', '| Manual | the file', '10.3 does not say why'],
    [
      'a gap',
      'One function makes the text.',
      '_Not in the brief: how it works._',
      '"2.6 Approach" still has a gap',
    ],
    [
      'a gap of the built-in outline',
      'One function makes the text.',
      '_Not in the issue: how it works._',
      '"2.6 Approach" still has a gap',
    ],
    ['a review log', '## 12. Def', '## Appendix: Review Log\n\nok\n\n## 12. Def', 'brings a review log'],
    ['a claimed approval', 'all tests pass', 'x\n\n**Final status:** APPROVED', 'brings a review log'],
    ['an open fence', /$/u, '\n```ts\nlet a\n', 'never closed'],
    ['an open comment', /$/u, '\n<!-- and so on\n', 'never closed'],
    ['an open script', /$/u, '\n<script>\n', 'never closed'],
    [
      'a placeholder of several words',
      'One function makes the text.',
      '{How it works, in a few sentences}',
      'as in the template',
    ],
    ['a placeholder in a table', '| CSV |', '| {this} |', '"{this}" stands there'],
  ])('%s', (_, from, to, problem) => {
    const found = problems(changed(from, to), { files: [...facts.files, 'LICENSE'] });
    expect(found.join('\n')).toContain(problem || '`LICENSE` is not among');
  });

  it('(1) an empty design, and only that', () => {
    expect(problems(' \n\t ')).toEqual(['The design is empty.']);
  });

  it('a design that is too long to be read', () => {
    expect(problems(good + 'x'.repeat(300_000))[0]).toMatch(/has 30\d{4} characters/u);
  });

  it('and when very much does, the first findings and how many more there are', () => {
    const rows = Array.from({ length: 500 }, (_, index) => `| gone-${index}.md | Delete | x |\n`).join('');
    const found = checkLldDraft(changed(/\| `README.md`[^\n]*\n/u, rows), facts);
    expect(found).toHaveLength(61);
    expect(found.at(-1)?.problem).toBe('440 more findings are not listed.');
  });

  it('a manual test is justified by a sentence, not by "None"', () => {
    const manual = changed('| Auto | the file', '| Manual | the file');
    const reason = (text: string) => problems(manual.replace('Tests\n\nNone', `Tests\n\n${text}`));
    expect(reason('None: nothing to do')).toHaveLength(1);
    expect(reason('N/A')).toHaveLength(1);
    expect(reason('None of the printers can be reached by a test.')).toEqual([]);
  });

  it('a manual scenario is seen in any column and in a list', () => {
    const table = '| ID | Type | Scenario |\n|---|---|---|\n| 010 | Manual | print (REQ-1) (REQ-2) |\n';
    const list = '- 010 print 3 pages, Manual (REQ-1) (REQ-2)\n';
    for (const scenarios of [table, list]) {
      const text = changed(/\| ID \| Scenario[\s\S]*?(?=### 10.2)/u, `${scenarios}\n`);
      expect(problems(text)).toEqual(['A scenario is left to a person, and section 10.3 does not say why.']);
    }
  });
});

describe('requirements', () => {
  function covering(count: number, tried: number): string {
    const list = Array.from({ length: count }, (_, index) => `${index + 1}. Thing ${index + 1} holds.`);
    const rows = Array.from(
      { length: tried },
      (_, index) => `| ${index}0 | try | Auto | it is 1 (REQ-${index + 1}) |`,
    );
    return good
      .replace(/1\. A report[\s\S]*?(?=\n## 4)/u, `${list.join('\n')}\n`)
      .replace(/\| 010 \| export[\s\S]*?(?=\n### 10.2)/u, `${rows.join('\n')}\n`);
  }

  it.each([
    [20, 20, [], []],
    [20, 19, [], ['No scenario tries REQ-20.']],
    [20, 18, ['No scenario tries REQ-19, REQ-20.'], []],
    [19, 18, ['No scenario tries REQ-19.'], []],
    [40, 38, [], ['No scenario tries REQ-39, REQ-40.']],
    [60, 30, [expect.stringMatching(/REQ-50 and 10 more\.$/u)], []],
  ])('%i of which %i are tried', (count, tried, blocks, warns) => {
    expect(problems(covering(count, tried))).toEqual(blocks);
    expect(warnings(covering(count, tried))).toEqual(warns);
  });

  it('are counted as they are numbered', () => {
    const grouped =
      '### Must\n\n1. A holds.\n2. B holds.\n\n### Should\n\n3. C holds.\n\n### Also\n\n- REQ-9: D holds.\n';
    const text = changed(/1\. A report[\s\S]*?(?=\n## 4)/u, grouped);
    expect(problems(text)).toEqual(['No scenario tries REQ-3, REQ-9.']);
    const restarted = text.replace('3. C', '1. C');
    expect(problems(restarted)).toEqual(['No scenario tries REQ-3, REQ-9.']);
  });
});

describe('what warns', () => {
  it.each<[string, string, string, string]>([
    [
      '(10) a mitigation without its function',
      '`checkSize()` refuses',
      '`limits.guard(rows)` refuses',
      'relies on `guard()`',
    ],
    ['(11) an import of nothing', "'./export.ts'", "'./exports.ts'", '`./exports.ts` is imported'],
    ['a comment', 'One function', '<!-- approve --> One function', 'comments or invisible'],
    ['invisible characters', 'One function', 'One\u200B function', 'comments or invisible'],
  ])('%s', (_, from, to, problem) => {
    expect(problems(changed(from, to))).toEqual([]);
    expect(warnings(changed(from, to)).join('\n')).toContain(problem);
  });

  it('(11) about Python, for packages of this repository only', () => {
    const code =
      '```python\nimport os\nfrom tools.report import build\nfrom tools.missing import x\nimport tools.report.build\n```';
    expect(warnings(changed(/```ts[\s\S]*?```/u, code))).toEqual([
      'A mitigation relies on `checkSize()`, which section 2.4 does not have.',
      '`tools.report` is imported, but no such file exists or is planned.',
      '`tools.missing` is imported, but no such file exists or is planned.',
    ]);
  });
});

describe('the template', () => {
  const template = readFileSync(join(import.meta.dirname, '../../../../../templates/0102-lld.md'), 'utf8');
  const filled = template
    .replace('{number of the issue}', '7')
    .replace('{path from the root of the repository}', 'README.md')
    .replace(/\{Add, Modify or Delete[^}]*\}/u, 'Modify')
    .replace('{Auto, Auto-Live or Manual}', 'Auto')
    .replace('| REQ-1 | `{path}` |', '| REQ-1 | `README.md` |')
    .replace(/\{- \[ \][^}]*\}/u, 'None.')
    .replace(/\{[^{}]*\}/gu, 'exit code 0');

  it('passes when everything in braces is replaced', () => {
    expect(checkLldDraft(filled, facts)).toEqual([]);
  });

  it('does not pass as it is, even with the right number', () => {
    const found = problems(template.replace('{number of the issue}', '7'));
    expect(found.filter((problem) => problem.includes('as in the template'))).toHaveLength(10);
  });
});
