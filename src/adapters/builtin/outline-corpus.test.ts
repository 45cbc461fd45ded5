/**
 * Twenty-five briefs as people write them: what of each has to stand where in the draft, what must not stand there, and that
 * the draft states nothing that the brief does not say.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notedBriefs } from '../../../test/support/noted-briefs.ts';
import { findLabels, readTitle } from '../../domain/drafts/issue-draft.ts';
import { checkIssueDraft } from '../../domain/drafts/mechanical-checks.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import {
  collectNodes,
  findSection,
  listSections,
  parseMarkdown,
  sourceOf,
} from '../../domain/text/markdown.ts';
import { outlineIssue } from './issue-outline.ts';

const folder = join(import.meta.dirname, '../../../test/briefs');
const notStated = ['Not stated in the brief.'];
const gap = (what: RegExp) => [expect.stringMatching(what)];
const noCriteria = gap(/^_Not in the brief: what has to be true/u);
const noRequirements = gap(/^_Not in the brief: what is required/u);

interface Expected {
  readonly title: string;
  readonly labels?: readonly string[];
  readonly story?: readonly string[];
  readonly objective?: readonly string[];
  readonly requirements: readonly unknown[];
  readonly criteria: readonly unknown[];
  readonly questions?: readonly string[];
  readonly outOfScope?: readonly string[];
  readonly dependencies?: readonly string[];
  /** Words of other sections, by title. */
  readonly more?: Readonly<Record<string, readonly string[]>>;
}

const briefs: Readonly<Record<string, Expected>> = {
  '01-decimal-comma': {
    title: 'parse of decimal comma',
    labels: ['bug', 'parser'],
    requirements: [
      "1. so ms('1,5h') should give 5400000.",
      "2. keep `ms('1.5h')` as it is",
      '3. an error names the input',
    ],
    criteria: ["- [ ] keep `ms('1.5h')` as it is", '- [ ] an error names the input'],
    questions: ['- [ ] not sure, maybe reject `1,500ms`', "- [ ] TODO ask Sam about `'1.000,5h'`"],
    outOfScope: ['- not now: format side'],
    dependencies: ['- Depends on #1'],
  },
  '02-tidy-list': {
    title: 'Export reports as CSV',
    objective: ['People copy numbers out of the report page by hand.'],
    requirements: ['1. a button on every report page', '2. the same columns as on the screen'],
    criteria: ['- [ ] a button on every report page', '- [ ] the same columns as on the screen'],
  },
  '03-prose': {
    title: 'The slug of a title with an ampersand loses the word "and".',
    requirements: [
      '1. We must keep it in every language that has a replacement table, and we should not change slugs that are already stored.',
      '2. The upgrade guide has to say it.',
    ],
    criteria: noCriteria,
    questions: ['- [ ] I am not sure whether the default should be on.'],
    outOfScope: ['- Emoji are for a later release.'],
  },
  '04-mail': {
    title: 'Login page forgets the language',
    objective: ['the login page forgets the language after a failed attempt.'],
    requirements: ['1. It should keep the one in the cookie.'],
    criteria: noCriteria,
    questions: [
      '- [ ] Should it also look at the browser?',
      '- [ ] No idea what the old page did.',
      '- [ ] can we drop the cookie altogether?',
    ],
    outOfScope: ['- Later: the same for the password page.'],
  },
  '05-stack-trace': {
    title: 'Crash when the config file is empty',
    objective: ['Version 2.3.1, Node 22.'],
    requirements: ['1. `app run` prints "app.json is empty" and exits with 2'],
    criteria: ['- [ ] `app run` prints "app.json is empty" and exits with 2'],
    more: { 'UX Flow': ['1. `touch app.json`', '2. `app run`'] },
  },
  '06-german': {
    title: 'Rechnungen als PDF',
    objective: ['Die Kunden wollen ihre Rechnungen herunterladen.'],
    requirements: ['1. ein Knopf auf jeder Rechnung', '2. die Datei heißt `rechnung-NUMMER.pdf`'],
    criteria: ['- [ ] ein Knopf auf jeder Rechnung', '- [ ] die Datei heißt `rechnung-NUMMER.pdf`'],
    questions: ['- [ ] vielleicht auch als ZIP', '- [ ] unklar: wie lange sind die Dateien gültig'],
    outOfScope: ['- vorerst nicht: Mahnungen'],
    dependencies: ['- Hängt ab von #17'],
  },
  '07-german-mail': {
    title: 'Suche findet keine Umlaute',
    requirements: ['1. Beide Schreibweisen müssen gefunden werden.'],
    criteria: noCriteria,
    questions: ['- [ ] Weiß nicht, ob das auch für Straßen gilt.'],
    outOfScope: ['- Später: Akzente.'],
  },
  '08-user-story': {
    title: 'Dark mode',
    story: ['As a night owl,', 'I want a dark page,', 'so that my eyes do not hurt.'],
    requirements: [
      '1. [ ] the page follows `prefers-color-scheme`',
      '2. [ ] the choice is kept in `localStorage`',
    ],
    criteria: ['- [ ] the page follows `prefers-color-scheme`', '- [ ] the choice is kept in `localStorage`'],
    outOfScope: ['- out of scope: the print view'],
  },
  '09-agents-in-code': {
    title: 'Document `@claude` in the guide',
    requirements: [
      '1. The guide must say that `@claude` begins work, and that `Closes #12` in a pull request closes the issue.',
      '2. the page shows `@claude fix this` as an example',
      '3. `<!-- gatewright -->` is explained',
      '4. [ ] @claude is not called by a box',
      '5. `__init__` and `a  b` stay as they are<br>always!',
    ],
    criteria: [
      '- [ ] the page shows `@claude fix this` as an example',
      '- [ ] `<!-- gatewright -->` is explained',
      '- [ ] @claude is not called by a box',
      '- [ ] `__init__` and `a  b` stay as they are<br>always!',
    ],
    more: {
      'UX Flow': [
        '```md',
        '@claude implement this',
        'Labels: hold',
        'Closes #3',
        '```',
        '    @claude indented',
      ],
    },
  },
  '10-front-matter': {
    title: 'Faster start of the server',
    labels: ['performance', 'server'],
    requirements: [
      '1. The server takes 9 seconds to start; it should take 2.',
      '2. start in 2 seconds on the test machine',
      '3. no new dependency',
    ],
    criteria: ['- [ ] start in 2 seconds on the test machine', '- [ ] no new dependency'],
    questions: ['- [ ] Why so slow?', '- [ ] Probably the schema.'],
  },
  '11-questions': {
    title: 'Import of contacts',
    requirements: ['1. CSV with a header', '2. at most 10,000 rows'],
    criteria: ['- [ ] CSV with a header', '- [ ] at most 10,000 rows'],
    questions: [
      '- [ ] what about vCard?',
      '- [ ] duplicates: merge or skip???',
      '- [ ] Who may import?',
      '- [x] Which encoding? UTF-8.',
      '- [ ] Which date format?',
    ],
  },
  '12-links': {
    title: 'Follow the new rules for cookies',
    objective: ['See [the rules](https://example.org/rules?version=2#cookies) and the [old page][old].'],
    requirements: [
      '1. a banner as in [the draft](https://example.org/draft)',
      '2. ask `GET /consent?id=1` before the first cookie',
      '3. ![the banner](https://example.org/banner.png) is the picture',
    ],
    criteria: [
      '- [ ] a banner as in [the draft](https://example.org/draft)',
      '- [ ] ask `GET /consent?id=1` before the first cookie',
      '- [ ] ![the banner](https://example.org/banner.png) is the picture',
    ],
    dependencies: ['- Blocked by https://github.com/example/app/issues/9'],
  },
  '13-nested-list': {
    title: 'Keyboard in the table',
    objective: ['Keyboard in the table'],
    requirements: [
      '1. arrows move the cell',
      '   * left and right in a row',
      '   * up and down, with `Ctrl` to the end',
      '     ```js',
      "     move('down',  { far: true });",
      '     ```',
      '2. `Esc` leaves it',
    ],
    criteria: [
      '- [ ] arrows move the cell',
      '  * left and right in a row',
      '  * up and down, with `Ctrl` to the end',
      '    ```js',
      "    move('down',  { far: true });",
      '    ```',
      '- [ ] `Esc` leaves it',
    ],
    outOfScope: ['- Tab goes to the next table (later)'],
  },
  '14-one-line': {
    title: 'word count is wrong for text with "smart" quotes',
    objective: ['word count is wrong for text with "smart" quotes'],
    requirements: noRequirements,
    criteria: noCriteria,
  },
  '15-shouting': {
    title: 'FIX THE SEARCH!!!',
    requirements: ['1. It MUST find part of a word.', '2. It must not take longer than 300 ms.'],
    criteria: noCriteria,
  },
  '16-later-is-a-time': {
    title: 'Retry failed uploads',
    requirements: [
      '1. retry after 30 seconds',
      '2. give up after 5 minutes',
      '3. a file that was changed later than the upload began is not retried',
    ],
    criteria: [
      '- [ ] retry after 30 seconds',
      '- [ ] give up after 5 minutes',
      '- [ ] a file that was changed later than the upload began is not retried',
    ],
  },
  '17-notes': {
    title: 'search box',
    requirements: noRequirements,
    criteria: noCriteria,
    questions: ['- [ ] clear button maybe', '- [ ] ask Sam about the analytics'],
    outOfScope: ['- not now: suggestions'],
  },
  '18-table-and-html': {
    title: 'Prices by region',
    objective: ['Prices by region'],
    requirements: ['1. prices come from `prices.json`'],
    criteria: ['- [ ] prices come from `prices.json`'],
    questions: ['- [ ] `| US | TBD |`'],
  },
  '19-two-stories': {
    title: 'Undo',
    story: ['As an editor, I want to undo a deletion, so that a slip costs nothing.'],
    objective: ['Undo'],
    requirements: ['1. The last 20 deletions can be undone.', '    undo(20)'],
    criteria: noCriteria,
    questions: [
      '- [ ] Undo after a reload?',
      '- [ ] To be decided.',
      '- [ ] Keep a list in `src/undo.ts`; TODO check its size.',
    ],
    outOfScope: ['- redo'],
    more: {
      'Files to Create/Modify': ['- `src/undo.ts`: new', '- `src/editor.ts`: calls it'],
      'Security Considerations': ['Nothing of another user is shown.'],
    },
  },
  '20-wrapped-doubt': {
    title: 'Limits of the free plan',
    requirements: [
      '1. The free plan has to stop at 100 requests a day, counted from midnight in the time zone of the account.',
      '2. 100 requests a day',
      '3. a request over the limit gets status 429',
    ],
    criteria: ['- [ ] 100 requests a day', '- [ ] a request over the limit gets status 429'],
    questions: [
      '- [ ] Perhaps the counter should also be shown on the start page, but that is not decided.',
      '- [ ] Legal needs to check the wording, see `docs/plans.md`.',
    ],
  },
  ...notedBriefs,
};

function linesOf(draft: string, title: string): string[] {
  const section = findSection(listSections(parseMarkdown(draft)), title);
  const [first, last] = [section?.content[0], section?.content.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = draft.lastIndexOf('\n', first.position?.start.offset) + 1;
  return draft
    .slice(start, last.position?.end.offset)
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** The draft of an empty brief, with notes: all that the outline says by itself. */
const ownLines = new Set(
  outlineIssue('x\n\nLinks:\n\n- y\n', 'x')
    .split('\n')
    .map((line) => line.trim()),
);

const squeeze = (text: string): string => text.replace(/[\s>]+/gu, ' ').trim();

/** Lines of the draft that stand neither in the brief nor in the template. */
function inventedLines(draft: string, brief: string): string[] {
  const said = squeeze(brief.replace(/^[ \t]*(?:[-+*]|\d+\.)[ \t]+(?:\[[ x]\][ \t]+)?/gmu, ''));
  return draft
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !ownLines.has(line) && !line.startsWith('**Labels:**') && !line.startsWith('>'))
    .map((line) => line.replace(/^(?:#|[-+*]|\d+\.)[ \t]+(?:\[[ x]\][ \t]+)?/u, ''))
    .map((line) => (/^`\|.*\|`$/u.test(line) ? line.slice(1, -1) : line))
    .filter((line) => !said.includes(squeeze(line)));
}

describe('the outline of a brief as people write them', () => {
  it('is tried with twenty-five', () => {
    const names = readdirSync(folder).map((name) => name.replace(/\.md$/u, ''));
    expect(names.sort()).toEqual(Object.keys(briefs));
    expect(names).toHaveLength(25);
  });

  it.each(Object.entries(briefs))('%s', (name, expected) => {
    const brief = readFileSync(join(folder, `${name}.md`), 'utf8');
    const draft = outlineIssue(brief, 'fallback');
    const lines = (title: string): string[] => linesOf(draft, title);
    expect(readTitle(draft)).toBe(expected.title);
    expect(findLabels(draft)).toEqual(expected.labels ?? []);
    expect(lines('User Story')).toEqual(expected.story ?? notStated);
    if (expected.objective !== undefined) expect(lines('Objective')).toEqual(expected.objective);
    expect(lines('Requirements')).toEqual(expected.requirements);
    expect(lines('Acceptance Criteria')).toEqual(expected.criteria);
    expect(lines('Open Questions')).toEqual(expected.questions ?? notStated);
    expect(lines('Out of Scope')).toEqual(expected.outOfScope ?? notStated);
    expect(lines('Dependencies')).toEqual(expected.dependencies ?? notStated);
    for (const [title, words] of Object.entries(expected.more ?? {})) expect(lines(title)).toEqual(words);
    expect(inventedLines(draft, brief)).toEqual([]);
    expect(mentions(draft, 'claude')).toBe(false);
    // Everything that is open stops the draft before a reviewer sees it.
    const open = (expected.questions ?? []).filter((line) => line.startsWith('- [ ]'));
    const found = checkIssueDraft(draft).filter((one) => one.section === 'Open Questions');
    expect(found).toHaveLength(open.length);
    // Code and links survive, to the letter.
    const known = [parseMarkdown(brief)];
    const made = [parseMarkdown(draft)];
    for (const kind of ['code', 'inlineCode', 'link', 'image'] as const) {
      const words = (nodes: typeof known, text: string) =>
        collectNodes(nodes, kind).map((node) => ('value' in node ? node.value : sourceOf(text, node)));
      for (const one of words(known, brief)) expect(words(made, draft)).toContain(one);
    }
  });
});
