import { describe, expect, it } from 'vitest';
import { findTestRunners, type ProjectFacts, testRunners } from './test-runners.ts';

const names = (facts: Partial<ProjectFacts>): string[] =>
  findTestRunners({ verify: null, rootFiles: [], manifests: [], ...facts }).map(({ name }) => name);
const packageJson = (json: object, path = 'package.json') => ({ path, text: JSON.stringify(json) });

describe('findTestRunners', () => {
  /** How each is called, as people set it. */
  it.each([
    ['vitest', 'npx vitest run'],
    ['jest', 'npx jest --ci'],
    ['mocha', 'npx mocha'],
    ['ava', 'npx ava'],
    ['node:test', 'node --test'],
    ['node:test', 'node --import tsx --test'],
    ['bun', 'bun test'],
    ['deno', 'deno test -A'],
    ['playwright', 'npx playwright test'],
    ['pytest', 'python -m pytest -q'],
    ['unittest', 'python -m unittest'],
    ['go', 'go test ./...'],
    ['cargo', 'cargo test'],
    ['rspec', 'bundle exec rspec'],
    ['minitest', 'bin/rails test'],
    ['phpunit', 'vendor/bin/phpunit'],
    ['junit', './mvnw test'],
    ['dotnet test', 'dotnet test'],
    ['mix test', 'mix test'],
    ['swift test', 'swift test'],
    ['dart test', 'flutter test'],
    ['sbt', 'sbt test'],
  ])('finds %s in "%s"', (name, command) => {
    expect(names({ verify: command.split(' ') })).toEqual([name]);
    // What else the project has is not what the command runs.
    const others = {
      rootFiles: ['go.mod', 'Cargo.toml'],
      manifests: [packageJson({ scripts: { test: 'jest' } })],
    };
    expect(names({ verify: command.split(' '), ...others })).toEqual([name]);
  });

  it.each(testRunners.flatMap(({ name, shownBy = [] }) => shownBy.map((file) => [name, file] as const)))(
    'finds %s where %s is, behind a command that only builds',
    (name, file) => {
      expect(names({ verify: ['make', 'test'], rootFiles: ['x', file.toUpperCase()] })).toContain(name);
      expect(names({ rootFiles: [file] })).toContain(name);
    },
  );

  it('reads scripts and dependencies of packages behind npm and its like', () => {
    const scripts = { test: 'node --test', lint: 'biome' };
    expect(names({ verify: ['npm', 'test'], manifests: [packageJson({ scripts })] })).toEqual(['node:test']);
    const nested = packageJson({ devDependencies: { vitest: '3' } }, 'packages/a/package.json');
    expect(names({ verify: ['pnpm', '-r', 'test'], manifests: [packageJson({}), nested] })).toEqual([
      'vitest',
    ]);
    expect(names({ verify: ['yarn'], manifests: [packageJson({ dependencies: { jest: '1' } })] })).toEqual([
      'jest',
    ]);
    // Two scripts are two commands.
    const apart = { a: 'node x.js', b: 'biome --test' };
    expect(names({ verify: ['npm', 'test'], manifests: [packageJson({ scripts: apart })] })).toEqual([]);
  });

  it('reads pyproject.toml', () => {
    const manifests = [{ path: 'pyproject.toml', text: '[tool.pytest.ini_options]\n' }];
    expect(names({ verify: ['tox'], manifests })).toEqual(['pytest']);
  });

  it.each([
    [['node', 'check.mjs']],
    [['true']],
    [['./test.sh']],
    [['npm', 'test']],
    [['sh', '-c', 'exit 0']],
  ])('finds none behind %j: nobody can tell what it runs', (verify) => {
    expect(names({ verify, rootFiles: ['go.mod', 'package.json'], manifests: [packageJson({})] })).toEqual(
      [],
    );
  });

  it.each(['', '{', '[]', 'null', '"vitest"', '{"scripts":"vitest"}', '{"scripts":{"test":5}}'])(
    'is not led astray by a package.json of %j',
    (text) =>
      expect(names({ verify: ['npm', 'test'], manifests: [{ path: 'package.json', text }] })).toEqual([]),
  );
});
