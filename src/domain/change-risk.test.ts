import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessRisk, type ChangedPath, isSteeringPath, isTestPath, riskLabels } from './change-risk.ts';

function file(path: string, more: Partial<ChangedPath> = {}): ChangedPath {
  return {
    path,
    previousPath: null,
    change: 'modified',
    additions: 5,
    deletions: 1,
    isBinary: false,
    ...more,
  };
}

describe('assessRisk', () => {
  it.each([
    ['a small change with its test', [file('src/a.ts'), file('src/a.test.ts')], 'auto-merge'],
    ['documents alone', [file('README.md'), file('docs/guide.md')], 'auto-merge'],
    ['tests alone', [file('tests/a.py')], 'auto-merge'],
    ['code without a test', [file('src/a.ts')], 'needs-review'],
    ['too many lines', [file('src/a.ts', { additions: 50 }), file('src/a.test.ts')], 'needs-review'],
    ['dependencies', [file('package.json'), file('a.test.ts')], 'needs-review'],
    ['a lock file in a folder', [file('web/yarn.lock'), file('a.test.ts')], 'needs-review'],
    ['a migration', [file('db/migrations/1.sql'), file('a.test.ts')], 'needs-review'],
    ['authentication', [file('src/auth/login.ts'), file('a.test.ts')], 'needs-review'],
    ['a script', [file('run.sh'), file('a.test.ts')], 'needs-review'],
    ['a binary', [file('logo.md', { isBinary: true })], 'needs-review'],
    ['a removed test', [file('src/a.test.ts', { change: 'removed' })], 'needs-review'],
    [
      'a test that is only shortened',
      [file('src/a.ts'), file('src/a.test.ts', { additions: 0 })],
      'needs-review',
    ],
    ['a workflow', [file('.github/workflows/ci.yml')], 'blocked'],
    ['a workflow moved away', [file('old.yml', { previousPath: '.github/workflows/ci.yml' })], 'blocked'],
    ['an agent file deep down', [file('packages/x/CLAUDE.md')], 'blocked'],
    ['our configuration', [file('gatewright.config.json')], 'blocked'],
    ['nothing', [], 'blocked'],
  ] as const)('calls %s as it is', (_, files, label) => {
    const risk = assessRisk(files, null);
    expect(risk.label).toBe(label);
    expect(risk.reasons.length).toBeGreaterThan(0);
  });

  it('lets an opinion raise the risk and never lower it', () => {
    const light = [file('README.md')];
    const grave = [file('.github/x')];
    expect(assessRisk(light, 'needs-review').label).toBe('needs-review');
    expect(assessRisk(light, 'blocked').label).toBe('blocked');
    expect(assessRisk(grave, 'auto-merge').label).toBe('blocked');
  });

  it('is never made lighter by another file in the change', () => {
    const anyFile = fc.record({
      path: fc.constantFrom(
        'src/a.ts',
        'README.md',
        'a.test.ts',
        'package.json',
        '.github/x.yml',
        'db/1.sql',
      ),
      previousPath: fc.constant(null),
      change: fc.constantFrom('added', 'modified', 'removed', 'renamed') as fc.Arbitrary<
        ChangedPath['change']
      >,
      additions: fc.nat(80),
      deletions: fc.nat(80),
      isBinary: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyFile, { minLength: 1 }), anyFile, (files, more) => {
        const isTest = isTestPath(more.path);
        const before = riskLabels.indexOf(assessRisk(files, null).label);
        const after = riskLabels.indexOf(assessRisk([...files, more], null).label);
        // Only a test may: code that came without one is lighter with it.
        if (!isTest) expect(after).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

describe('isSteeringPath', () => {
  it.each([
    '.claude/settings.json',
    'sub/.mcp.json',
    '.husky/pre-commit',
    'AGENTS.md',
    '.env',
    '.gitattributes',
  ])('knows %s', (path) => expect(isSteeringPath(path)).toBe(true));
  it.each(['src/claude.ts', 'docs/agents-guide.md', 'github/x'])('leaves %s', (path) =>
    expect(isSteeringPath(path)).toBe(false),
  );
});
