import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assessRisk,
  type ChangedPath,
  holdsSource,
  listMergedByHand,
  raiseRisk,
  riskLabels,
} from './change-risk.ts';
import { judgePath } from './path-class.ts';
import { testRunners } from './test-runners.ts';

function file(path: string, more: Partial<ChangedPath> = {}): ChangedPath {
  return {
    path,
    previousPath: null,
    change: 'modified',
    additions: 5,
    deletions: 1,
    isBinary: false,
    was: 'file',
    is: 'file',
    ...more,
  };
}

const vitest = testRunners.filter(({ name }) => name === 'vitest');
const [code, test] = [file('src/a.ts'), file('src/a.test.ts')];

describe('assessRisk', () => {
  it.each<[string, readonly ChangedPath[], string]>([
    ['a small change with its test', [code, test], 'auto-merge'],
    ['documents alone', [file('README.md'), file('docs/guide.md')], 'auto-merge'],
    ['tests alone', [file('tests/test_a.py')], 'auto-merge'],
    ['a document that is gone', [file('docs/old.md', { change: 'removed', is: null })], 'auto-merge'],
    [
      'a document that moved',
      [file('docs/b.md', { change: 'renamed', previousPath: 'docs/a.md' })],
      'auto-merge',
    ],
    ['fifty lines', [file('docs/a.md', { additions: 25, deletions: 25 })], 'auto-merge'],
    ['fifty-one lines', [file('docs/a.md', { additions: 26, deletions: 25 })], 'needs-review'],
    ['more taken out than put in', [file('docs/a.md', { additions: 1, deletions: 50 })], 'needs-review'],
    ['code without a test', [code], 'needs-review'],
    ['too many lines', [file('src/a.ts', { additions: 50 }), test], 'needs-review'],
    ['dependencies', [file('package.json'), test], 'needs-review'],
    ['a lock file in a folder', [file('web/yarn.lock'), test], 'needs-review'],
    ['a migration', [file('db/migrations/1.sql'), test], 'needs-review'],
    ['authentication', [file('src/auth/login.ts'), test], 'needs-review'],
    ['a script', [file('run.sh'), test], 'needs-review'],
    ['a binary', [file('logo.md', { isBinary: true })], 'needs-review'],
    ['one binary among others', [code, test, file('docs/a.md', { isBinary: true })], 'needs-review'],
    ['a removed test', [file('src/a.test.ts', { change: 'removed', is: null })], 'needs-review'],
    [
      'one removed test among others',
      [code, test, file('src/b.test.ts', { change: 'removed', additions: 0, is: null })],
      'needs-review',
    ],
    ['a test that is only shortened', [code, file('src/a.test.ts', { additions: 0 })], 'needs-review'],
    ['a test that loses more than it gets', [code, file('src/a.test.ts', { deletions: 6 })], 'needs-review'],
    ['a test that is no test', [code, file('src/a.test.txt')], 'needs-review'],
    ['a test that another runner runs', [code, file('tests/test_a.py')], 'needs-review'],
    [
      'twenty-one files',
      Array.from({ length: 21 }, (_, at) => file(`docs/a${at}.md`, { additions: 1, deletions: 0 })),
      'needs-review',
    ],
    ['a program', [file('docs/a.md', { is: 'program' })], 'needs-review'],
    ['what was a program', [file('docs/a.md', { was: 'program' })], 'needs-review'],
    [
      'code that became a document',
      [file('docs/a.md', { change: 'renamed', previousPath: 'src/a.ts' }), test],
      'needs-review',
    ],
    [
      'a document that became code',
      [file('src/a.ts', { change: 'renamed', previousPath: 'docs/a.md' }), test],
      'needs-review',
    ],
    [
      'a test that became code',
      [file('src/b.ts', { change: 'renamed', previousPath: 'src/b.test.ts' }), test],
      'needs-review',
    ],
    [
      'a script that became a document',
      [file('docs/a.md', { change: 'renamed', previousPath: 'run.sh' })],
      'needs-review',
    ],
    ['a link', [file('docs/a.md', { is: 'link', was: null, change: 'added' })], 'blocked'],
    ['what was a link', [file('docs/a.md', { was: 'link' })], 'blocked'],
    ['a submodule', [file('docs/a', { is: 'repository' })], 'blocked'],
    ['a workflow', [file('.github/workflows/ci.yml')], 'blocked'],
    ['a workflow moved away', [file('old.yml', { previousPath: '.github/workflows/ci.yml' })], 'blocked'],
    ['an agent file deep down', [file('packages/x/CLAUDE.md')], 'blocked'],
    ['our configuration', [file('gatewright.config.json')], 'blocked'],
    ['nothing', [], 'blocked'],
  ])('calls %s as it is', (what, files, label) => {
    const runners = what === 'tests alone' ? testRunners : vitest;
    const risk = assessRisk(files, null, runners);
    expect(risk.label).toBe(label);
    expect(risk.reasons.length).toBeGreaterThan(0);
    const isGood = risk.reasons.includes(
      'It is small and tested, and every file may be merged without a person.',
    );
    expect(isGood).toBe(label === 'auto-merge');
  });

  it.each([
    [[file('package.json'), test], 'package.json: what other people’s code comes in by (dependencies).'],
    [
      [file('src/a.ts', { additions: 40, deletions: 20 }), test],
      'It changes 66 lines; at most 50 may be merged without a person.',
    ],
    [[code], 'It changes code and no test that the project’s runner would run.'],
    [
      [file('.github/a'), file('.claude/b'), file('AGENTS.md'), file('.env')],
      'It changes what steers builds or agents: .github/a, .claude/b, AGENTS.md and 1 more.',
    ],
    [[file('a.md', { is: 'link' })], 'It changes links: a.md.'],
    [[file('a', { was: 'repository' })], 'It changes repositories in the repository: a.'],
    [[file('docs/a.md', { is: 'program' })], 'docs/a.md: it is or was executable.'],
  ])('says why: %#', (files, reason) => expect(assessRisk(files, null, vitest).reasons).toContain(reason));

  const good = 'It is small and tested, and every file may be merged without a person.';
  const noTest = 'It changes code and no test that the project’s runner would run.';
  const documents = (count: number): ChangedPath[] =>
    Array.from({ length: count }, (_, at) => file(`docs/a${at}.md`, { additions: 1, deletions: 1 }));
  it.each<[string, readonly ChangedPath[], readonly string[]]>([
    ['nothing', [], ['It changes nothing.']],
    [
      'one binary file of two',
      [file('docs/a.md', { isBinary: true }), file('docs/b.md')],
      ['It contains binary files, which a reviewer cannot read.'],
    ],
    ['as many files as go', documents(20), [good]],
    ['a file more', documents(21), ['It changes 21 files; at most 20 may be merged without a person.']],
    ['as many lines as go', [file('docs/a.md', { additions: 25, deletions: 25 })], [good]],
    [
      'a line more, of those that are taken out',
      [file('docs/a.md', { additions: 25, deletions: 26 })],
      ['It changes 51 lines; at most 50 may be merged without a person.'],
    ],
    [
      'a removed test beside one that stays',
      [file('src/b.test.ts', { change: 'removed', is: null, additions: 0, deletions: 9 }), test],
      ['It removes tests.'],
    ],
    [
      'a removed test as the test of a change',
      [code, file('src/a.test.ts', { change: 'removed', is: null })],
      ['It removes tests.', noTest],
    ],
    [
      'a test of which nothing changed',
      [code, file('src/a.test.ts', { additions: 0, deletions: 0 })],
      [noTest],
    ],
    [
      'a test that gets shorter',
      [file('src/a.test.ts', { additions: 1, deletions: 2 })],
      ['It removes more lines of a test than it adds.'],
    ],
    ['a test that stays as long', [file('src/a.test.ts', { additions: 2, deletions: 2 })], [good]],
    ['a document that gets shorter', [file('docs/a.md', { additions: 1, deletions: 9 })], [good]],
    [
      'what steers, once and not as an unknown file too',
      [file('.github/a')],
      ['It changes what steers builds or agents: .github/a.'],
    ],
    [
      'three that steer',
      [file('.github/a'), file('.claude/b'), file('AGENTS.md')],
      ['It changes what steers builds or agents: .github/a, .claude/b, AGENTS.md.'],
    ],
    [
      'code that became a document',
      [file('docs/a.md', { change: 'renamed', previousPath: 'src/a.ts' }), test],
      ['docs/a.md: its class differs from that of src/a.ts.'],
    ],
  ])('gives exactly these reasons for %s', (_, files, reasons) =>
    expect(assessRisk(files, null, vitest).reasons).toEqual(reasons),
  );

  it('says whose opinion it was, where it made a difference', () => {
    const light = [file('README.md')];
    expect(assessRisk(light, 'blocked').reasons).toEqual(['Its author calls it "blocked".']);
    expect(assessRisk(light, 'auto-merge').reasons).toEqual([good]);
    expect(assessRisk([code], 'needs-review', vitest).reasons).toEqual([noTest]);
  });

  it('counts no more files where five ask a person', () => {
    const five = Array.from({ length: 5 }, (_, at) => file(`a${at}.json`));
    expect(assessRisk(five, null).reasons).toHaveLength(5);
  });

  it('names the first of many that ask a person, and how many more there are', () => {
    const { reasons } = assessRisk(
      Array.from({ length: 8 }, (_, at) => file(`a${at}.json`)),
      null,
    );
    expect(reasons.filter((one) => one.includes('.json:'))).toHaveLength(5);
    expect(reasons).toContain('3 more files need a person.');
  });

  it('lets an opinion raise the risk and never lower it', () => {
    const light = [file('README.md')];
    const grave = [file('.github/x')];
    expect(assessRisk(light, 'needs-review').label).toBe('needs-review');
    expect(assessRisk(light, 'blocked').label).toBe('blocked');
    expect(assessRisk(light, 'auto-merge').label).toBe('auto-merge');
    expect(assessRisk(grave, 'auto-merge').label).toBe('blocked');
  });

  it('keeps the reasons of a grave one when it is raised, and drops those that spoke for a light one', () => {
    const light = assessRisk([file('README.md')], null);
    expect(raiseRisk(light, 'needs-review', 'Why.')).toEqual({ label: 'needs-review', reasons: ['Why.'] });
    expect(raiseRisk(light, 'auto-merge', 'Also.')).toEqual({
      label: 'auto-merge',
      reasons: [...light.reasons, 'Also.'],
    });
    expect(raiseRisk({ label: 'needs-review', reasons: ['One.'] }, 'blocked', 'Two.')).toEqual({
      label: 'blocked',
      reasons: ['One.', 'Two.'],
    });
    const grave = { label: 'blocked', reasons: ['One.'] } as const;
    expect(raiseRisk(grave, 'needs-review', 'Two.')).toEqual({ label: 'blocked', reasons: ['One.', 'Two.'] });
  });

  it('knows what needs a test that was run', () => {
    expect(holdsSource([file('docs/a.md'), code], vitest)).toBe(true);
    expect(holdsSource([file('docs/a.md', { previousPath: 'src/a.ts' })], vitest)).toBe(true);
    expect(holdsSource([file('docs/a.md'), test], vitest)).toBe(false);
  });

  it('is never made lighter by another file in the change', () => {
    const kinds = fc.constantFrom('file', 'program', 'link', 'repository', null) as fc.Arbitrary<
      ChangedPath['is']
    >;
    const anyFile = fc.record({
      path: fc.constantFrom(
        ...[
          'src/a.ts',
          'README.md',
          'a.test.ts',
          'package.json',
          '.github/x.yml',
          'db/1.sql',
          'docs/conf.py',
        ],
      ),
      previousPath: fc.constantFrom(null, 'src/b.ts', 'docs/b.md'),
      change: fc.constantFrom('added', 'modified', 'removed', 'renamed') as fc.Arbitrary<
        ChangedPath['change']
      >,
      additions: fc.nat(80),
      deletions: fc.nat(80),
      isBinary: fc.boolean(),
      was: kinds,
      is: kinds,
    });
    fc.assert(
      fc.property(fc.array(anyFile, { minLength: 1 }), anyFile, (files, more) => {
        const before = riskLabels.indexOf(assessRisk(files, null).label);
        const after = riskLabels.indexOf(assessRisk([...files, more], null).label);
        // Only a test may: code that came without one is lighter with it.
        if (judgePath(more.path).class !== 'test') expect(after).toBeGreaterThanOrEqual(before);
        if (listMergedByHand([...files, more]).length > 0) expect(riskLabels[after]).toBe('blocked');
      }),
    );
  });
});

/** Changes of somebody who wants in: each small, with a real test beside it. */
const steering =
  '.github/workflows/a.yml .claude/settings.json CLAUDE.md sub/AGENTS.md .cursor/rules/a.mdc .travis.yml .drone.yml .buildkite/a.yml .forgejo/a.yml .pre-commit-config.yaml .cargo/config.toml .windsurfrules CLAUDE.local.md .codex/a .gemini/a .qwen/a .opencode/a opencode.json .vscode/tasks.json .husky/pre-commit .gitattributes .gitmodules .npmrc .envrc .mcp.json lefthook.yml renovate.json Jenkinsfile .gitlab-ci.yml CODEOWNERS'.split(
    ' ',
  );
const building =
  'CMakeLists.txt docs/conf.py package.json setup.py conftest.py build.rs Makefile vite.config.ts gulpfile.js Cargo.toml go.mod Dockerfile requirements.txt tox.ini noxfile.py tasks.py manage.py webpack.dev.js .eslintrc.js tsconfig.json App.csproj meson.build BUILD.bazel flake.nix wrangler.toml next.config.mjs postinstall.js scripts/a.ts sitecustomize.py a.pth'.split(
    ' ',
  );
const fakeTests =
  'ok.test.txt a.test.json test/data.csv test/fixtures/a.test.ts __snapshots__/a.test.ts.snap tests/helpers.ts spec/a.txt jest.setup.test.sh a_test.md.exe src/atest.foo .a.test.ts dist/a.test.ts node_modules/a/a.test.ts src/\u202Ea.test.ts src/a.test.ts.'.split(
    ' ',
  );
const fakeDocuments =
  'src/README.js CHANGELOG.mjs docs/a.mdx docs/a.html docs/a.js LICENSE.sh README docs/README.py notes.txt docs/a.md.js prompts/a.md skills/a.md llms.txt docs/раper.md docs/a\u200B.md .changeset/a.md templates/a.md test/fixtures/a.md node_modules/a/README.md docs/a.ipynb'.split(
    ' ',
  );

describe('hostile changes', () => {
  const own = [code, test];
  const changes: (readonly [string, readonly ChangedPath[]])[] = [
    ...[...steering, ...building, ...fakeDocuments].flatMap((path): [string, readonly ChangedPath[]][] => [
      [`${path} beside good work`, [...own, file(path)]],
      [`good work renamed from ${path}`, [test, file('src/a.ts', { change: 'renamed', previousPath: path })]],
    ]),
    ...fakeTests.map((path): [string, readonly ChangedPath[]] => [`${path} as its test`, [code, file(path)]]),
    ...(['program', 'link', 'repository'] as const).flatMap((kind): [string, readonly ChangedPath[]][] =>
      ['src/a.ts', 'docs/a.md', 'src/b.test.ts'].flatMap((path): [string, readonly ChangedPath[]][] => [
        [`${path} becomes a ${kind}`, [...own, file(path, { is: kind })]],
        [`${path} was a ${kind}`, [...own, file(path, { was: kind })]],
      ]),
    ),
    ['a large one', [file('src/a.ts', { additions: 400 }), test]],
    ['a large deletion', [file('src/a.ts', { additions: 0, deletions: 400 }), test]],
  ];
  it('are more than a hundred and fifty', () => expect(changes.length).toBeGreaterThan(150));
  it.each(changes)('%s: none goes without a person', (_, files) => {
    const risk = assessRisk(files, 'auto-merge', vitest);
    expect(risk.label).not.toBe('auto-merge');
    expect(assessRisk(files, null).label).not.toBe('auto-merge');
  });
});
