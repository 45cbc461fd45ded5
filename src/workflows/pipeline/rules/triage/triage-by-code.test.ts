import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../../../test/support/processor-time.ts';
import { labelNames } from '../../../../domain/forge/labels.ts';
import type { IssueType, Scope } from './triage.ts';
import { type TriageFacts, triageByCode } from './triage-by-code.ts';

const files = [
  ...['src/slider.ts', 'src/list.ts', 'src/table.ts', 'src/form.ts', 'src/menu.ts', 'src/button.ts'],
  ...[
    'src/a/index.ts',
    'src/b/index.ts',
    'src/auth/login-page.ts',
    'migrations/001.sql',
    'README.md',
    'LICENSE',
  ],
  ...[
    '.github/workflows/ci.yml',
    'infra/main.tf',
    'src/billing/total.ts',
    'docs/architecture.md',
    'test/auth.test.ts',
  ],
];
const body = 'The slider forgets its value after a save. I expected the value to stay, and it is 0 again.';

function triage(more: Partial<TriageFacts> = {}): ReturnType<typeof triageByCode> {
  const facts = {
    number: 42,
    title: 'Fix the slider that forgets its value',
    body,
    labels: [],
    files,
    openIssues: [],
  };
  return triageByCode({ ...facts, ...more });
}

describe('the scope of an issue', () => {
  it.each<[string, Scope]>([
    ['nothing', 'SMALL'],
    ['src/slider.ts', 'SMALL'],
    ['`src/slider.ts` and ./src/list.ts:12.', 'SMALL'],
    ['src/slider.ts, src/list.ts and (src/table.ts)', 'MEDIUM'],
    ['slider.ts list.ts table.ts', 'MEDIUM'],
    ['src/slider.ts src/slider.ts src/slider.ts#L4', 'SMALL'],
    ['src/slider.ts src/list.ts src/table.ts src/form.ts src/menu.ts', 'MEDIUM'],
    ['src/slider.ts src/list.ts src/table.ts src/form.ts src/menu.ts src/button.ts', 'LARGE'],
    ['https://github.com/o/r/blob/main/src/list.ts#L1-L4 slider.ts table.ts', 'MEDIUM'],
    ['it happens across the codebase', 'MEDIUM'],
    ['index.ts is there twice, and/or no.ts, one.two/three.ts', 'SMALL'],
    [`\`\`\`\n${files.map((file) => `at ${file}:1:2`).join('\n')}\n\`\`\``, 'SMALL'],
  ])('%j is %s', (text, scope) => {
    expect(triage({ body: `${body}\n\n${text}` }).scope).toBe(scope);
  });

  it('asks a person when it is large', () => {
    const large = triage({ body: `${body} ${files.slice(0, 6).join(' ')}` });
    expect(large).toMatchObject({ complexity: 'complex', shouldProceed: true });
    expect(large.escalations).toEqual(['The scope is LARGE: six files or more.']);
  });

  it('is told to be a guess when no file is named, with what may have been meant', () => {
    expect(triage().concerns).toEqual([
      'The issue names no file of the repository, so its scope is not known by code.',
    ]);
    expect(triage({ body: `${body} See src/sliders.ts and src/list.ts.` }).concerns).toEqual([
      expect.stringContaining(
        'The issue names `src/sliders.ts`, which is not in the repository. Did you mean `src/slider.ts`',
      ),
    ]);
  });
});

describe('a file that is to be made', () => {
  it.each([
    'Create `src/sliders.ts`.',
    'Add a new module in src/sliders.ts',
    'Put it into a new file called "src/sliders.ts".',
    'Add tests in `src/sliders.ts`',
    '`src/sliders.ts` (new) holds it.',
    'It goes to src/sliders.ts, which does not exist yet.',
  ])('is no mistake: %s', (text) => {
    expect(triage({ body: `${body} ${text}` }).concerns).toEqual([]);
  });

  it.each([
    'Add a label to the slider of src/sliders.ts',
    'src/sliders.ts is newer than the rest',
    'Make src/list.ts call src/sliders.ts',
  ])('is not every one that is not there: %s', (text) => {
    expect(triage({ body: `${body} ${text}` }).concerns.join()).toContain('Did you mean `src/slider.ts`');
  });
});

describe('a sensitive area', () => {
  it.each([
    ['Users cannot log out: the login page', 'authentication: it says “login”'],
    ['OAuth is broken', 'authentication: it says “oauth”'],
    ['We authorise too much', 'authentication: it says “authorise”'],
    ['Encryption at rest', 'cryptography: it says “encryption”'],
    ['Die Verschlüsselung fehlt', 'cryptography: it says “verschlusselung”'],
    ['wrong permissions', 'permissions: it says “permissions”'],
    ['role-based menus', 'permissions: it says “role-based”'],
    ['the API\nkey is shown', 'secrets: it says “api key”'],
    ['Refunds are wrong', 'payment: it says “refunds”'],
    ['needs a migration', 'the database schema: it says “migration”'],
    ['CI is red', 'infrastructure and continuous integration: it says “ci”'],
    ['this is a breaking change', 'a public API: it says “breaking change”'],
    ['a third-party service', 'third-party integrations: it says “third-party”'],
    ['another licence', 'the licence: it says “licence”'],
    ['no change of PASSWORDS', 'authentication: it says “passwords”'],
    ['## Database schema\n\nas now', 'the database schema: it says “database schema”'],
    ['see src/auth/login-page.ts', 'security: it names `src/auth/login-page.ts`'],
    ['see migrations/001.sql', 'databases: it names `migrations/001.sql`'],
    ['see .github/workflows/ci.yml', 'and who has to approve: it names `.github/workflows/ci.yml`'],
    ['see infra/main.tf', 'infrastructure and continuous integration: it names `infra/main.tf`'],
    ['see src/billing/', 'payment: it names `src/billing/`'],
    ['the file LICENSE', 'the licence: it names `LICENSE`'],
    ['make src/auth/new-file.ts', 'security: it names `src/auth/new-file.ts`'],
    ['```\nsrc/auth/login-page.ts\n```', 'security: it names `src/auth/login-page.ts`'],
    ['.env.local', 'secrets'],
  ])('is found in %j', (text, expected) => {
    const found = triage({ body: `${body}\n\n${text}`, files: [...files, '.env.local'] });
    expect(found.escalations.join('\n')).toContain(`It concerns`);
    expect(found.escalations.join('\n')).toContain(expected);
    expect(found.complexity).not.toBe('simple');
  });

  it.each([
    'The author of the tokenizer decided about circles and acid',
    'See docs/architecture.md and https://example.com/login/auth',
    'The secretary pays, the cispadane licensee stripes',
    'integration tests are slow',
    'test/auth.test.ts has a typo',
    '<!-- never post passwords or secrets -->',
  ])('is none in %j', (text) => {
    expect(triage({ body: `${body}\n\n${text}` }).escalations).toEqual([]);
  });

  it('is found in the title, and behind all that is parsed', () => {
    expect(triage({ title: 'Change the auth flow' }).escalations).toHaveLength(1);
    const long = `${body}\n\n${'many words '.repeat(3000)} password`;
    expect(triage({ body: long }).escalations).toEqual(['It concerns authentication: it says “password”.']);
  });
});

describe('a duplicate', () => {
  const title = 'Fix the slider that forgets its value';

  it('of an older issue stops the work', () => {
    expect(triage({ openIssues: [{ number: 7, title }] })).toMatchObject({
      shouldProceed: false,
      rejectionReason: 'This issue looks like a duplicate of #7: the titles say the same.',
    });
  });

  it('that is younger is only mentioned', () => {
    const found = triage({ openIssues: [{ number: 99, title }] });
    expect(found.shouldProceed).toBe(true);
    expect(found.concerns).toContain('#99 looks like a duplicate of this issue.');
  });
});

describe('missing information', () => {
  it.each<[string, string, boolean]>([
    ['', '', false],
    ['Slider', '', false],
    ['Fix slider', '…', false],
    ['Fix slider', '<!-- what happened? -->\n\n## Steps\n', false],
    ['Fix the slider value', '', true],
    ['修正滑块的值', '', true],
    ['Slider', 'It forgets its value.', true],
  ])('%j with %j has a sentence: %s', (title, text, has) => {
    const found = triage({ title, body: text });
    expect(found.shouldProceed).toBe(has);
    expect(found.rejectionReason).toBe(
      has ? null : 'The issue has no sentence that says what should change.',
    );
  });

  it.each<[string, readonly string[]]>([
    ['', ['no description', 'reproduced']],
    ['It is broken.', ['only 13 characters', 'reproduced']],
    ['The slider behaves badly when I use it on Mondays.', ['reproduced']],
    ['The slider shows 0 and I expected 5 to be shown there.', []],
    ['It does not work for me any more:\n\n```\nTypeError: x\n```', []],
    ['## Steps to reproduce\n\n1. Open it, and look at what it shows', []],
  ])('about a bug: %j', (text, parts) => {
    const { questions, shouldProceed } = triage({ body: text, labels: [labelNames.bug] });
    expect(questions).toHaveLength(parts.length);
    for (const [index, part] of parts.entries()) expect(questions[index]).toContain(part);
    expect(shouldProceed).toBe(true);
  });
});

describe('the type of an issue', () => {
  it.each<[string, readonly string[], IssueType]>([
    ['Anything', [labelNames.bug], 'BUG_FIX'],
    ['Fix it', [labelNames.enhancement], 'NEW_FEATURE'],
    ['Fix it', ['type: refactor'], 'REFACTOR_STYLE'],
    ['Fix the slider', [], 'BUG_FIX'],
    ['Refactor error handling', [], 'REFACTOR_STYLE'],
    ['Add a menu for errors', [], 'NEW_FEATURE'],
    ['Slider stürzt ab', [], 'BUG_FIX'],
    ['Something', [], 'NEW_FEATURE'],
  ])('%j with %j is %s', (title, labels, type) => {
    expect(triage({ title, labels, body: 'Nothing more about this at all.' }).type).toBe(type);
  });
});

describe('triage of hostile text', () => {
  it('always gives a whole answer, and the same one', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.lorem(),
      fc
        .array(fc.constantFrom('`', '```', '<!--', '[', '](', '../', '\u202e', '#1', '@all', ...files))
        .map((a) => a.join(' ')),
    );
    fc.assert(
      fc.property(text, text, fc.array(text), (title, long, labels) => {
        const openIssues = labels.map((one, index) => ({ number: index + 1, title: one }));
        const found = triage({ title, body: long, labels, openIssues, files: [...files, ...labels] });
        expect(found.rejectionReason === null).toBe(found.shouldProceed);
        expect(found.scope === 'LARGE').toBe(
          found.escalations.some((one) => one.startsWith('The scope is LARGE')),
        );
        for (const one of [...found.concerns, ...found.escalations, ...found.questions]) {
          expect(one).toMatch(/^[A-Z#].*[.?]$/u);
          expect(one).not.toMatch(/[\u202e\n]/u);
        }
        expect(triage({ title, body: long, labels, openIssues, files: [...files, ...labels] })).toEqual(
          found,
        );
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['blanks', ' '.repeat(200_000)],
    ['paths', 'src/a/'.repeat(30_000)],
    ['words', 'break '.repeat(33_000)],
    ['signs', '```\n'.repeat(50_000)],
    ['brackets', '['.repeat(200_000)],
    ['dots', '.'.repeat(200_000)],
  ])('takes no long time for many %s', (_, text) => {
    const many = Array.from({ length: 5000 }, (__, index) => ({
      number: index + 100,
      title: `${text.slice(0, 400)}${index}`,
    }));
    expect(
      processorMilliseconds(() => triage({ title: text.slice(0, 1000), body: text, openIssues: many })),
    ).toBeLessThan(3000);
  });

  it('tells a person of a body that is too long to be read', () => {
    expect(triage({ body: 'word '.repeat(50_000) }).escalations).toEqual([
      'The description is too long to be read as a whole.',
    ]);
  });
});
