/**
 * What a brief takes back, has done or has answered is not asked for: no point of a list that a heading or an introduction
 * refuses stands among the requirements or the criteria, in whatever form the list is written.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewOf, isLong, propertyRuns } from '../../../test/support/property-runs.ts';
import { readTitle } from '../../domain/drafts/issue-draft.ts';
import { findOpenQuestions } from '../../domain/drafts/mechanical-checks.ts';
import { collectNodes, parseMarkdown } from '../../domain/text/markdown.ts';
import { outlineDesign } from './design-outline.ts';
import { outlineIssue } from './issue-outline.ts';
import { addFeedback } from './revise-outline.ts';

/** The source of one section of a draft. */
function sectionOf(draft: string, title: string): string {
  return draft.split(/^## (?=[A-Z0-9])/mu).find((one) => one.startsWith(`${title}\n`)) ?? '';
}

const outline = (brief: string): string => outlineIssue(brief, 'fallback');
const askedIn = (draft: string): string =>
  `${sectionOf(draft, 'Requirements')}\n${sectionOf(draft, 'Acceptance Criteria')}`;
const askedInDesign = (design: string): string =>
  ['3. Requirements', '10. Verification', '12. Definition of Done']
    .map((title) => sectionOf(design, title))
    .join('\n');

const headings = [
  'What it must not do',
  'Must not',
  'Not required',
  'Requirements that are not needed',
  'Rejected features',
  'Features we rejected',
  'Features: rejected',
  'What we will not build',
  "What we won't do",
  'Won’t have',
  'Features we do not want',
  'Scope: excluded',
  'Out of scope',
  'Out-of-scope features',
  'Non-goals',
  'Non-requirements',
  'Not now',
  'Later features',
  'Alternatives considered',
  'Should never happen',
  'Postponed requirements',
  'Already implemented features',
  'Features that are done',
  'No longer required',
  'Was es nicht tun darf',
  'Nicht erforderlich',
  'Keine Anforderungen',
  'Abgelehnte Anforderungen',
  'Anforderungen (abgelehnt)',
  'Spätere Aufgaben',
  'Bereits erledigte Aufgaben',
];

const introductions = [
  'It must not:',
  'It must never:',
  'The tool should not do any of this:',
  "It mustn't:",
  'We do not need:',
  "We don't want:",
  'Not required:',
  'Out of scope:',
  'Out of scope for this release:',
  '**Non-goals**',
  '**Out of scope:**',
  '__Not now__',
  '*Rejected*',
  'Not now:',
  'Later:',
  'We considered and rejected these:',
  'We considered and rejected the following.',
  'These features were rejected.',
  'Hands off:',
  'We dropped:',
  'Leave alone:',
  'Already done:',
  'Things we will not build',
  'Non-goals',
  'We clean the cache. It must not:',
  'Es darf nicht:',
  'Nicht nötig:',
  'Kein Ziel:',
  'Wir brauchen keine:',
  'Später:',
  'Abgelehnt:',
  'Bereits erledigt:',
];

/** Ways to write the same points as a list. */
const forms: Readonly<Record<string, (items: readonly string[]) => string>> = {
  dashes: (items) => items.map((one) => `- ${one}`).join('\n'),
  loose: (items) => items.map((one) => `- ${one}`).join('\n\n'),
  stars: (items) => items.map((one) => `* ${one}`).join('\n'),
  numbers: (items) => items.map((one, index) => `${index + 1}. ${one}`).join('\n'),
  brackets: (items) => items.map((one, index) => `${index + 1}) ${one}`).join('\n'),
  boxes: (items) => items.map((one) => `- [ ] ${one}`).join('\n'),
  ticks: (items) => items.map((one) => `- [x] ${one}`).join('\n'),
  'changing marks': (items) => items.map((one, index) => `${index % 2 === 0 ? '-' : '*'} ${one}`).join('\n'),
  nested: ([first = '', ...rest]) => [`- ${first}`, ...rest.map((one) => `  - ${one}`)].join('\n'),
  'code between': (items) => items.map((one) => `- ${one}`).join('\n\n```sh\nls\n```\n\n'),
  'words between': (items) => items.map((one) => `- ${one}`).join('\n\nand also\n\n'),
};
/** What no parser calls a list, after an introduction that ends with a colon. */
const looseForms: typeof forms = {
  bullets: (items) => items.map((one) => `• ${one}`).join('\n'),
  lines: (items) => items.join('\n'),
  paragraphs: (items) => items.join('\n\n'),
};

const refusedItems = ['delete user files', 'send mail to `root`', 'add a web page'];
const opening = '# Cleaner\n\nWe clean the cache.\n\n- empty the folder\n';

/** That nothing of the refused points is asked for, that what is asked for still is, and that no word is lost. */
function expectRefused(brief: string, kept: string | null = 'empty the folder'): void {
  const draft = outline(brief);
  for (const item of refusedItems) {
    expect(askedIn(draft)).not.toContain(item);
    expect(askedInDesign(outlineDesign(draft, '7', []))).not.toContain(item);
    expect(sectionOf(draft, 'Files to Create/Modify')).not.toContain(item);
    expect(sectionOf(draft, 'The Brief')).toContain(item);
  }
  if (kept !== null) {
    expect(sectionOf(draft, 'Requirements')).toContain(`1. ${kept}`);
    expect(sectionOf(draft, 'Acceptance Criteria')).toContain(`- [ ] ${kept}`);
  }
}

const formNames = Object.keys(forms);

describe('a list under a heading that refuses it', () => {
  it.each(fewOf(headings, 3))('is not asked for: %s', (heading) => {
    for (const form of fewOf(formNames, 11, headings.indexOf(heading))) {
      const list = forms[form]?.(refusedItems) ?? '';
      expectRefused(`${opening}\n## ${heading}\n\n${list}\n`);
      expectRefused(`${opening}\n## ${heading}\n\n### Features\n\n${list}\n`);
    }
    const list = forms.dashes?.(refusedItems) ?? '';
    expectRefused(`${opening}\n## Background\n\nOld.\n\n### ${heading} ###\n\nWords.\n\n${list}\n`);
    expectRefused(`${opening}\n${heading}\n---\n${list}\n`);
    expectRefused(`# ${heading}\n\n${list}\n`, null);
    expectRefused(`## ${heading}\n\n${list}\n`, null);
  });

  it('stands out of scope, together with its heading', () => {
    const draft = outline(`${opening}\n## What it must not do\n\n- delete user files\n- send mail\n`);
    expect(sectionOf(draft, 'Out of Scope')).toContain(
      '> ## What it must not do\n>\n> - delete user files\n> - send mail',
    );
  });

  it.each([
    ['Requirements', 'Requirements'],
    ['What it must do', 'Requirements'],
    ['Not only CSV: requirements', 'Requirements'],
    ['Done when', 'Acceptance Criteria'],
    ['Definition of done: criteria', 'Acceptance Criteria'],
    ['What happens when the file is not there', 'UX Flow'],
    ['Questions we have not answered', 'Open Questions'],
  ])('is still read under a heading that does not: %s', (heading, section) => {
    expect(sectionOf(outline(`# T\n\nIntro.\n\n## ${heading}\n\n- a particular thing\n`), section)).toContain(
      'a particular thing',
    );
  });

  it.each(['Do not crash on empty files', 'No crash on empty files', 'Deferred loading of images'])(
    'leaves a title that names work: %s',
    (title) => {
      const draft = outline(`# ${title}\n\nWords.\n\n- a particular thing\n`);
      expect(readTitle(draft)).toBe(title);
      expect(sectionOf(draft, 'Requirements')).toContain('1. a particular thing');
    },
  );
});

describe('a list after an introduction that refuses it', () => {
  it.each(fewOf(introductions, 3))('is not asked for: %s', (introduction) => {
    for (const form of fewOf(formNames, 11, introductions.indexOf(introduction))) {
      const list = forms[form]?.(refusedItems) ?? '';
      for (const gap of isLong ? ['\n', '\n\n'] : ['\n']) {
        expectRefused(`${opening}\n${introduction}${gap}${list}\n`);
        expectRefused(`${opening}\n## Requirements\n\n${introduction}${gap}${list}\n`);
      }
    }
    expectRefused(`# Cleaner\n\n${introduction}\n\n- ${refusedItems.join('\n- ')}\n`, null);
    if (!/:\W*$/u.test(introduction)) return;
    for (const write of Object.values(looseForms))
      expectRefused(`${opening}\n${introduction}\n${write(refusedItems)}\n`);
    // Points that introduce points.
    const plain = introduction.replace('We clean the cache. ', '');
    expectRefused(`${opening}- ${plain}\n  - ${refusedItems.join('\n  - ')}\n`);
    if (plain !== 'Hands off:') expectRefused(`${opening}- ${plain}\n- ${refusedItems.join('\n- ')}\n`);
  });

  it('goes with its introduction to what is out of scope, and the words before it stay', () => {
    const draft = outline(
      '# Cleaner\n\nWe clean the cache. It must not:\n\n- delete user files\n- send mail\n',
    );
    expect(sectionOf(draft, 'Objective')).toContain('We clean the cache.');
    expect(sectionOf(draft, 'Out of Scope')).toBe(
      'Out of Scope\n\n> It must not:\n>\n> - delete user files\n> - send mail\n\n',
    );
  });

  it('is a question where it is not clear whether it is asked for', () => {
    const draft = outline(
      '# Cleaner\n\nWords.\n\nIf the cache is not there:\n\n- make one\n\nBob’s pile:\n\n- a daemon\n',
    );
    expect(sectionOf(draft, 'Open Questions')).toBe(
      'Open Questions\n\n- [ ] If the cache is not there:\n\n  > - make one\n- [ ] Bob’s pile:\n\n  > - a daemon\n\n',
    );
    expect(findOpenQuestions(draft)).toHaveLength(2);
  });

  it.each([
    'It must:',
    'We need:',
    'The page shows:',
    'Requirements:',
    '**Requirements**',
    'Still missing:',
    'Wir brauchen:',
    'People copy numbers by hand.',
    'It must not be slow. We should not change stored slugs.',
  ])('is still read after one that does not: %s', (introduction) => {
    const draft = outline(`# T\n\n${introduction}\n\n- a particular thing\n`);
    expect(askedIn(draft)).toMatch(/\d\. a particular thing/u);
    expect(askedIn(draft)).toContain('- [ ] a particular thing');
  });

  it('holds for what a person says at the gate, too', () => {
    const draft = outline(opening);
    for (const said of ['It must not:\n- delete user files', 'Not required:\n\n- delete user files']) {
      const revised = addFeedback(draft, said);
      expect(askedIn(revised)).not.toContain('delete user files');
      expect(revised).toContain('delete user files');
    }
  });

  it('keeps every brief of the grammar from asking for what it refuses', () => {
    const refusal = fc.oneof(
      fc
        .constantFrom(...headings)
        .chain((words) => fc.constantFrom(`## ${words}`, `### ${words}`, `${words}\n---`)),
      fc.constantFrom(...introductions),
    );
    const between = fc.constantFrom(
      '',
      '\nThat is all.\n',
      '\n***\n',
      '\n```\ncode\n```\n',
      '\n> Bob: fine\n',
    );
    const part = fc
      .tuple(refusal, fc.constantFrom(...formNames), between)
      .map(([lead, form, after]) => `${lead}\n\n${forms[form]?.(refusedItems) ?? ''}\n${after}`);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean(), (parts, isUnder) => {
        expectRefused(`${opening}\n${isUnder ? '## Requirements\n\n' : ''}${parts.join('\n')}`);
      }),
      { numRuns: isLong ? propertyRuns(400) : 20 },
    );
  });
});

describe('what is done', () => {
  it('is no open criterion', () => {
    const draft = outline(
      '# T\n\nWords.\n\nAlready done:\n\n- [x] login page\n- [x] logout\n\nStill missing:\n\n- [ ] reset\n',
    );
    expect(askedIn(draft)).not.toMatch(/login page|logout/u);
    expect(sectionOf(draft, 'Out of Scope')).toContain('> Already done:\n>\n> - [x] login page');
    expect(sectionOf(draft, 'Acceptance Criteria')).toContain('- [ ] reset');
  });

  it('keeps its tick in a list with what is not', () => {
    const draft = outline('# T\n\nWords.\n\n- [x] login page\n- [ ] reset\n');
    expect(sectionOf(draft, 'Acceptance Criteria')).toContain('- [x] login page\n- [ ] reset');
  });
});

describe('a dependency that is taken back', () => {
  it.each([
    'This no longer depends on #12.',
    'Not blocked by #13.',
    "It doesn't depend on #12.",
    'It was blocked by #12.',
    'It never needs #12.',
    'Das ist nicht mehr abhängig von #12.',
    'Es ist nicht blockiert durch #12.',
  ])('is none: %s', (sentence) => {
    expect(sectionOf(outline(`# T\n\n${sentence}\n\n- x\n`), 'Dependencies')).toContain('Not stated');
    expect(sectionOf(outline(`# T\n\n- ${sentence}\n- x\n`), 'Dependencies')).toContain('Not stated');
  });

  it.each(['Depends on #12, not on #13.', 'It is not urgent, but depends on #12.', 'Hängt ab von #12'])(
    'does not take another with it: %s',
    (sentence) => {
      expect(sectionOf(outline(`# T\n\n${sentence}\n\n- x\n`), 'Dependencies')).toContain(sentence);
    },
  );
});

describe('a question that the brief answers right after', () => {
  it.each([
    ['## Answered questions\n\n- Do we need SSO? No.\n', 'Do we need SSO? No.'],
    ['## Open questions\n\n- Do we need SSO? No.\n', 'Do we need SSO? No.'],
    ['Do we need SSO? No.\n', 'Do we need SSO? No.'],
    ['- Which encoding? UTF-8.\n', 'Which encoding? UTF-8.'],
    ['Q: Do we need SSO?\nA: No, LDAP is enough.\n', 'Q: Do we need SSO? A: No, LDAP is enough.'],
    ['- Brauchen wir SSO? Nein.\n', 'Brauchen wir SSO? Nein.'],
  ])('is ticked: %j', (words, line) => {
    const draft = outline(`# T\n\nWords.\n\n${words}`);
    expect(findOpenQuestions(draft)).toEqual([]);
    expect(sectionOf(draft, 'Open Questions')).toContain(`- [x] ${line}`);
    expect(askedIn(draft)).not.toContain('No.');
  });

  it.each([
    'Do we need SSO? No idea.',
    'Do we need SSO? Maybe.',
    'Do we need SSO? Or LDAP?',
    'Why? It has no name.',
    '- [ ] Do we need SSO? No.',
  ])('stays open when that is no answer: %s', (words) => {
    expect(findOpenQuestions(outline(`# T\n\nWords.\n\n${words}\n`)).length).toBeGreaterThan(0);
  });

  it('still asks for what the answer asks for', () => {
    const draft = outline('# T\n\nShould it log? Yes, it must log errors.\n');
    expect(sectionOf(draft, 'Requirements')).toContain('1. Yes, it must log errors.');
    expect(findOpenQuestions(draft)).toEqual([]);
  });
});

describe('code', () => {
  it('stands as often in the draft as in the brief', () => {
    const code = '```sh\nnpm test\n```';
    const brief = `# Steps\n\n## Requirements\n\nFirst run this.\n\n${code}\n\nEdit the file. Then run again.\n\n${code}\n\n- retry\n- wait\n- retry\n`;
    const draft = outline(brief);
    const count = (text: string): number => collectNodes([parseMarkdown(text)], 'code').length;
    expect(count(sectionOf(draft, 'Requirements'))).toBe(2);
    expect(sectionOf(draft, 'Acceptance Criteria').match(/- \[ \] retry/gu)).toHaveLength(2);
    expect(count(sectionOf(outline(`# T\n\nWords.\n\n${code}\n\nThen.\n\n${code}\n`), 'UX Flow'))).toBe(2);
  });

  it.each([
    ['Subject: Re: `npm test` fails on `main`', '`npm test` fails on `main`'],
    ['Betreff: AW: WG: Suche nach `a*b`', 'Suche nach `a*b`'],
    ['Subject: Re: a [link](https://example.org) in it', 'a [link](https://example.org) in it'],
  ])('stays in the title of a mail: %s', (line, title) => {
    expect(outline(`From: Ada\n${line}\n\nHi,\n\nplease fix it.\n`).split('\n')[0]).toBe(`# ${title}`);
  });
});
