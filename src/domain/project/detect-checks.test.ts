import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../test/support/processor-time.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { isVerifyCommand } from '../fleet/fleet-settings.ts';
import { detectChecks } from './detect-checks.ts';
import { isProjectFile, type ProjectFacts } from './recipe.ts';

type Files = Readonly<Record<string, string>>;

/** Refuses to hand out files that a caller would not have read. */
function factsOf(files: Files, missing: readonly string[] = []): ProjectFacts {
  return {
    names: new Set(Object.keys(files)),
    textOf: (name) => {
      if (!isProjectFile(name)) throw new Error(`${name} was not announced`);
      return Object.hasOwn(files, name) ? (files[name] ?? null) : null;
    },
    hasProgram: (name) => !missing.includes(name),
  };
}

describe('the checks of a project', () => {
  it.each<[string, Files, readonly string[], string]>([
    ['a program that is missing', { 'go.mod': '' }, ['go'], '"go" is not on your PATH'],
    ['a linter of Go that is missing', { 'go.mod': '', '.golangci.yml': '' }, ['golangci-lint'], 'go vet'],
    ['clippy that is missing', { 'Cargo.toml': '' }, ['cargo-clippy'], 'use clippy, but it is neither'],
    [
      'ruff that is missing',
      { 'requirements.txt': '', 'ruff.toml': '' },
      ['ruff'],
      'use ruff, but it is neither',
    ],
    [
      'ESLint that is missing',
      { 'package.json': '{}', '.eslintrc.json': '' },
      [],
      'use ESLint, but it is neither',
    ],
    ['a script that tests nothing', { 'package.json': '{}' }, [], 'package.json has no test script'],
    [
      'linters that need the network',
      { 'build.gradle': "id 'checkstyle'" },
      [],
      'checkstyle fetches its parts',
    ],
    ['another kind', { 'go.mod': '', 'pom.xml': '' }, [], 'also found, and not proposed: pom.xml'],
    ['nothing', { 'README.md': '' }, [], 'no file in the root says'],
  ])('say why one is not proposed: %s', (_, files, missing, note) => {
    expect(detectChecks(factsOf(files, missing)).notes.join('\n')).toContain(note);
  });

  it('are said to be unknown where nothing is known', () => {
    expect(detectChecks(factsOf({}))).toMatchObject({
      kind: 'unknown',
      tests: null,
      lint: null,
      types: null,
    });
  });

  it('are words that may be run and that stand in the recipes, whatever the files say', () => {
    const fixed = [
      ...['package.json', 'pnpm-lock.yaml', 'tsconfig.json', 'eslint.config.js', 'biome.json', 'uv.lock'],
      ...[
        'pyproject.toml',
        'requirements.txt',
        'mypy.ini',
        'setup.cfg',
        'go.mod',
        '.golangci.yml',
        'Cargo.toml',
      ],
      ...[
        'pom.xml',
        'build.gradle',
        'gradlew',
        'Gemfile',
        'Gemfile.lock',
        'Rakefile',
        'composer.json',
        'Makefile',
      ],
    ];
    const name = fc.oneof(
      fc.constantFrom(...fixed),
      fc.string().map((text) => `${text.replaceAll('/', '')}.gemspec`),
      fc.string().map((text) => `${text}.sln`),
    );
    const marker = 'evil$(id)';
    const hostile = fc.oneof(
      fc.string().map((text) => `${text}${marker}`),
      fc
        .dictionary(
          fc.oneof(fc.constantFrom('test', 'lint', 'typecheck', marker), fc.string()),
          fc.oneof(fc.string(), fc.constant(marker), fc.array(fc.string())),
        )
        .map((given) =>
          JSON.stringify({
            scripts: given,
            devDependencies: given,
            'require-dev': given,
            packageManager: marker,
          }),
        ),
      fc.constantFrom(
        `gem '${marker}'`,
        `[tool.ruff]\n${marker}`,
        `test: ${marker}\nlint:\n`,
        `"ruff" ${marker}`,
      ),
    );
    fc.assert(
      fc.property(fc.dictionary(name, hostile), (files) => {
        const { tests, lint, types, kind, notes } = detectChecks(factsOf(files));
        for (const command of [tests, lint, types]) {
          if (command === null) continue;
          expect(isVerifyCommand(command)).toBe(true);
          expect(command).not.toContain('evil');
        }
        expect([kind, ...notes].join('\n')).not.toContain('evil');
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it.each(['Rakefile', 'Gemfile', 'pyproject.toml', 'package.json', 'pom.xml', 'Makefile', 'composer.json'])(
    'are found in time in a %s made to take long',
    (name) => {
      const long = [
        `\n`.repeat(100_000),
        ' '.repeat(100_000),
        `${' '.repeat(999)}\n`.repeat(100),
        '#'.repeat(100_000),
      ];
      for (const text of long) {
        const facts = factsOf({ [name]: text, Gemfile: text, 'requirements.txt': text });
        expect(processorMilliseconds(() => detectChecks(facts))).toBeLessThan(2000);
      }
    },
  );
});
