import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { isHostAndPort, isVerifyCommand } from '../fleet/fleet-settings.ts';
import { detectProject } from './detect-project.ts';
import type { ProjectFacts } from './recipe.ts';

type Files = Readonly<Record<string, string>>;

function factsOf(files: Files, missing: readonly string[] = []): ProjectFacts {
  return {
    names: new Set(Object.keys(files)),
    textOf: (name) => files[name] ?? null,
    hasProgram: (name) => !missing.includes(name),
  };
}

const tested = JSON.stringify({ scripts: { test: 'node --test' }, devDependencies: { x: '1' } });
const ignored = '.gitignore';

describe('the commands of a project', () => {
  it.each([
    ['package-lock=false\n', false],
    ['# registry=https://a.example/\n; registry=x\n', false],
    ['fund=false\nregistry=https://a.example/\n', true],
    ['@scope:registry = https://a.example/\n', true],
  ])('are noted with another registry only where .npmrc names one: %j', (settings, isNoted) => {
    const { notes = [] } = detectProject(factsOf({ 'package.json': tested, '.npmrc': settings })) ?? {};
    expect(notes.some((note) => note.includes('names a registry'))).toBe(isNoted);
  });

  it.each<[string, Files, string | null, string | null]>([
    ['npm', { 'package.json': tested, 'package-lock.json': '' }, 'npm ci', 'npm test'],
    ['pnpm', { 'package.json': tested, 'pnpm-lock.yaml': '' }, 'pnpm install --frozen-lockfile', 'pnpm test'],
    ['yarn 1', { 'package.json': tested, 'yarn.lock': '' }, 'yarn install --frozen-lockfile', 'yarn test'],
    [
      'yarn 4',
      { 'package.json': tested, 'yarn.lock': '', '.yarnrc.yml': '' },
      'yarn install --immutable',
      'yarn test',
    ],
    ['bun', { 'package.json': tested, 'bun.lock': '' }, 'bun install --frozen-lockfile', 'bun run test'],
    ['npm without a lock file', { 'package.json': tested }, 'npm install --no-package-lock', 'npm test'],
    [
      'the manager that package.json names',
      { 'package.json': JSON.stringify({ packageManager: 'pnpm@9.1.0', dependencies: { x: '1' } }) },
      'pnpm install --no-lockfile',
      null,
    ],
    ['npm without anything to install', { 'package.json': '{"scripts":{"test":"x"}}' }, null, 'npm test'],
    [
      'the test script that npm writes',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      null,
      null,
    ],
    ['a package.json that is none', { 'package.json': '[]' }, null, null],
    [
      'uv',
      { 'uv.lock': '', 'pyproject.toml': 'pytest' },
      'uv sync --locked',
      'uv run --offline python -m pytest',
    ],
    [
      'poetry',
      { 'poetry.lock': '', 'pytest.ini': '' },
      'env POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction',
      'poetry run python -m pytest',
    ],
    [
      'pip',
      { 'requirements.txt': 'requests' },
      'python3 -m pip install --target .venv/packages -r requirements.txt',
      'env PYTHONPATH=.venv/packages python3 -m unittest',
    ],
    ['go', { 'go.mod': '', 'go.sum': '' }, 'go mod vendor', 'go test ./...'],
    ['go with vendored modules', { 'go.mod': '', 'go.sum': '', vendor: '' }, null, 'go test ./...'],
    [
      'cargo',
      { 'Cargo.toml': '', 'Cargo.lock': '' },
      'env CARGO_HOME=target/cargo-home cargo fetch --locked',
      'env CARGO_HOME=target/cargo-home cargo test --offline',
    ],
    [
      'maven',
      { 'pom.xml': '' },
      'mvn -B -Dmaven.repo.local=target/maven-repository dependency:go-offline',
      'mvn -B -Dmaven.repo.local=target/maven-repository -o test',
    ],
    [
      'gradle',
      { 'build.gradle.kts': '', gradlew: '' },
      'env GRADLE_USER_HOME=.gradle/home ./gradlew --no-daemon testClasses',
      'env GRADLE_USER_HOME=.gradle/home ./gradlew --no-daemon --offline test',
    ],
    [
      'bundler with RSpec',
      { Gemfile: "gem 'rspec'\n", 'Gemfile.lock': '', spec: '' },
      'env BUNDLE_FROZEN=true BUNDLE_PATH=vendor/bundle bundle install',
      'env BUNDLE_PATH=vendor/bundle bundle exec rspec',
    ],
    [
      'bundler with Minitest',
      { Gemfile: 'gemspec', Rakefile: 'Minitest::TestTask.create\n' },
      'env BUNDLE_PATH=vendor/bundle bundle install',
      'env BUNDLE_PATH=vendor/bundle bundle exec rake test',
    ],
    [
      'composer with PHPUnit',
      { 'composer.json': '{"require-dev":{"phpunit/phpunit":"^11"}}' },
      'composer install --no-interaction',
      'php vendor/bin/phpunit',
    ],
    [
      'composer with a test script',
      { 'composer.json': '{"scripts":{"test":["@unit","phpunit"]}}', 'composer.lock': '' },
      'composer install --no-interaction',
      'composer run-script --timeout=0 test',
    ],
    ['dotnet', { 'a.sln': '' }, 'dotnet restore --packages .dotnet/packages', 'dotnet test --no-restore'],
    ['dotnet with two solutions', { 'a.sln': '', 'b.sln': '' }, null, null],
    [
      'a package.json without tests beside tests in another language',
      { 'package.json': '{}', 'go.mod': '' },
      null,
      'go test ./...',
    ],
    [
      'a Gemfile without tests beside tests of Node',
      { 'package.json': tested, Gemfile: "gem 'cocoapods'" },
      'npm install --no-package-lock',
      'npm test',
    ],
    ['make', { Makefile: 'test:\n\ttrue\n\nsetup: x\n' }, 'make setup', 'make test'],
    ['make as a front', { 'package.json': '{}', Makefile: 'check:\n\ttrue\n' }, null, 'make check'],
  ])('%s', (_, files, setup, verify) => {
    const found = detectProject(factsOf(files));
    expect([found?.setup, found?.verify]).toEqual([setup, verify]);
    for (const host of found?.setupHosts ?? []) expect(isHostAndPort(host)).toBe(true);
  });

  it('are none where nothing is known', () => {
    expect(detectProject(factsOf({ 'README.md': '# x' }))).toBeNull();
    expect(detectProject(factsOf({ Makefile: 'test := 1\nall:\n' }))).toBeNull();
  });

  it('are none of a program that is not installed, and that is said', () => {
    const found = detectProject(factsOf({ 'package.json': tested, 'pnpm-lock.yaml': '' }, ['pnpm']));
    expect([found?.setup, found?.verify]).toEqual([null, null]);
    expect(found?.notes).toEqual([
      'pnpm-lock.yaml is there, but "pnpm" is not on your PATH, so no command is proposed',
    ]);
  });

  it('keep dependencies where git does not look, or say what to do', () => {
    const bare = detectProject(factsOf({ 'requirements.txt': '' }));
    expect(bare?.notes.join()).toContain('add .venv/ to .gitignore');
    expect(detectProject(factsOf({ 'requirements.txt': '', [ignored]: 'x\r\n/.venv/\n' }))?.notes).toEqual(
      [],
    );
  });

  it('are words that may be run, whatever the files say', () => {
    const name = fc.constantFrom(
      ...['package.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', '.yarnrc.yml', 'bun.lock'],
      ...['uv.lock', 'poetry.lock', 'requirements.txt', 'pyproject.toml', 'pytest.ini', 'go.mod', 'go.sum'],
      ...['Cargo.toml', 'pom.xml', 'mvnw', 'build.gradle', 'gradlew', 'Makefile', '.gitignore', '.npmrc'],
      ...['Gemfile', 'Gemfile.lock', 'Rakefile', 'spec', 'x$(id).gemspec', 'composer.json', 'x y;z.csproj'],
    );
    const hostile = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          scripts: fc.record({ test: fc.oneof(fc.string(), fc.anything()) }),
          packageManager: fc.oneof(fc.string(), fc.constant('npm; rm -rf ~@1'), fc.anything()),
          dependencies: fc.anything(),
        })
        .map((value) => {
          try {
            return JSON.stringify(value) ?? '';
          } catch {
            return '{';
          }
        }),
      fc.string().map((text) => `test: ${text}\n\t$(shell x)\nsetup:\n`),
    );
    fc.assert(
      fc.property(fc.dictionary(name, hostile), (files) => {
        const found = detectProject(factsOf(files));
        for (const command of [found?.setup, found?.verify])
          if (command !== null && command !== undefined) expect(isVerifyCommand(command)).toBe(true);
        for (const host of found?.setupHosts ?? []) expect(host).toMatch(/^[a-z.]+:443$/u);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});
