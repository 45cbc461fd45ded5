/** Every row of the table of test runners: what each runs and what it only seems to, how it is called, what shows it. */
import { describe, expect, it } from 'vitest';
import { findTestRunners, type ProjectFacts, testRunners } from './test-runners.ts';

const words = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

const rows: Readonly<Record<string, { runs: string; not: string }>> = {
  vitest: {
    runs: 'ab.test.js x/ab.spec.ts ab.test.cjs ab.test.mts ab.test.tsx ab.spec.jsx',
    not: 'test.js .test.js ab.test.json ab.test.xjs ab.tests.js ab-test.js test/ab.js ab.test.jsxx',
  },
  jest: {
    runs: 'ab.test.js x/ab.spec.mts ab.test.tsx __tests__/ab.js x/__tests__/ab/cd/ef.tsx',
    not: 'test.js ab.test.json a__tests__/ab.js __tests__/ab.json __tests__/.js tests/ab.js',
  },
  mocha: {
    runs: 'test/ab.js x/test/ab.cjs test/ab.mjs',
    not: 'contest/ab.js test/ab/cd.js test/ab.jsx test/ab.xjs test/ab.ts test/.js tests/ab.js',
  },
  ava: {
    runs: 'ab.test.js x/ab.spec.cjs test-ab.js test.mjs x/test.js test/ab.js tests/ab/cd/ef.cjs __tests__/a.js x/test/ab.mjs',
    not: 'atest.js contest-ab.js contest/ab.js test/_ab.js ab.test.jsx ab.test.xjs test/ab.xjs test/ab.jsx test.ts test-.js',
  },
  'node:test': {
    runs: 'ab.test.js ab_test.ts ab-test.cjs test-ab.mts test.js x/test.ts test/ab.ts x/test/ab/cd/ef.mjs test/ab.js',
    not: 'latest.js contest-ab.js contest/ab.js ab.test.jsx ab+test.js test/ab.xjs test/ab.jsx test.xs test/ab.xs tests/ab.js test/.js',
  },
  bun: {
    runs: 'ab.test.js x/ab_spec.tsx ab.test.ts ab_test.jsx',
    not: 'ab-test.js ab.test.jsxx ab.test.cjs ab.test.xs _test.js test/ab.ts',
  },
  deno: {
    runs: 'ab.test.ts ab_test.tsx test.mts x/test.js test.mjs test.jsx',
    not: 'latest.ts ab-test.ts test.tsq test.cts .test.ts',
  },
  playwright: {
    runs: 'ab.test.js x/ab.spec.ts ab.test.cjs ab.spec.mts',
    not: 'ab.test.jsx ab.test.xjs ab.test.xs .test.js ab-test.js',
  },
  pytest: {
    runs: 'test_ab.py x/test_ab.py ab_test.py',
    not: 'contest_ab.py ab_tests.py test_.py _test.py test_ab.pyc test_ab.txt ab.py',
  },
  unittest: {
    runs: 'test.py testing_ab.py x/test_ab.py',
    not: 'contest.py test.pyc ab_test.py',
  },
  go: {
    runs: 'ab_test.go x/abc_test.go a_test.go',
    not: '_ab_test.go .ab_test.go ab_test.gox x/_test.go abtest.go',
  },
  cargo: {
    runs: 'tests/ab.rs x/tests/ab.rs tests/ab/main.rs',
    not: 'contests/ab.rs tests/ab/cd.rs tests/ab.rsx tests/.rs test/ab.rs',
  },
  rspec: {
    runs: 'spec/ab_spec.rb x/spec/ab/cd/ef_spec.rb',
    not: 'aspec/ab_spec.rb spec/ab_spec.rbx spec/_spec.rb spec/ab.rb lib/ab_spec.rb',
  },
  minitest: {
    runs: 'test/ab_test.rb x/test/ab/cd/ef_test.rb test/test_ab.rb',
    not: 'contest/ab_test.rb test/ab.rb test/ab_test.rbx test/_test.rb test/test_.rb lib/ab_test.rb',
  },
  phpunit: {
    runs: 'tests/AbTest.php test/AbTest.php x/tests/ab/cd/EfTest.php',
    not: 'contests/AbTest.php tests/Test.php tests/AbTest.phpx tests/ab.php src/AbTest.php',
  },
  junit: {
    runs: 'src/test/java/AbTest.java x/src/test/kotlin/ab/cd/EfTests.kt src/test/groovy/AbTestCase.java src/test/java/Test.java src/test/java/TestAb.java',
    not: 'asrc/test/java/AbTest.java src/test/java/AbTest.javax src/test/java/Ab.java src/test/scala/AbTest.java src/main/java/AbTest.java',
  },
  'dotnet test': {
    runs: 'Tests/AbTests.cs App.Tests/AbTest.fs Ab.UnitTests/AbTest.vb x/IntegrationTests/ab/cd/EfTest.cs Test/AbTest.cs',
    not: 'ATests/AbTest.cs Tests/Test.cs Tests/Tests.cs Tests/AbTest.csx Tests/Ab.cs .Tests/AbTest.cs',
  },
  'mix test': {
    runs: 'test/ab_test.exs x/test/ab/cd/ef_test.exs',
    not: 'contest/ab_test.exs test/ab_test.exsx test/_test.exs test/ab.exs lib/ab_test.exs',
  },
  'swift test': {
    runs: 'Tests/AbTests.swift x/Tests/ab/cd/EfTest.swift',
    not: 'ATests/AbTests.swift Tests/Tests.swift Tests/AbTests.swiftx Tests/Ab.swift',
  },
  'dart test': {
    runs: 'test/ab_test.dart x/test/ab/cd/ef_test.dart',
    not: 'contest/ab_test.dart test/ab_test.dartx test/_test.dart test/ab.dart',
  },
  sbt: {
    runs: 'src/test/scala/AbTest.scala x/src/test/scala/ab/cd/EfSpec.scala src/test/scala/AbSuite.scala',
    not: 'asrc/test/scala/AbTest.scala src/test/scala/Test.scala src/test/scala/AbTest.scalax src/test/scala/Ab.scala',
  },
};

it('has these rows and no others', () =>
  expect(testRunners.map(({ name }) => name)).toEqual(Object.keys(rows)));

describe.each(Object.entries(rows))('%s', (name, { runs, not }) => {
  const runner = testRunners.find((one) => one.name === name);
  it.each(words(runs))('runs %s', (path) => expect(runner?.runs.test(path)).toBe(true));
  it.each(words(not))('does not run %s', (path) => expect(runner?.runs.test(path)).toBe(false));
});

const find = (facts: Partial<ProjectFacts>): string[] =>
  findTestRunners({ verify: null, rootFiles: [], manifests: [], ...facts }).map(({ name }) => name);

describe('a command', () => {
  it.each([
    ['jest', 'npx react-scripts test'],
    ['node:test', 'node --import tsx --test x'],
    ['pytest', 'py.test'],
    ['unittest', 'python manage.py test'],
    ['go', 'gotestsum'],
    ['cargo', 'cargo nextest run'],
    ['rspec', 'bin/rspec'],
    ['minitest', 'ruby minitest'],
    ['minitest', 'bin/rake test'],
    ['phpunit', 'vendor/bin/pest'],
    ['phpunit', 'php artisan test'],
    ['junit', 'mvn verify'],
    ['junit', './gradlew test'],
    ['junit', 'gradle check'],
    ['junit', 'mvnw test'],
    ['swift test', 'xcodebuild'],
    ['dart test', 'dart test'],
  ])('%s is called by "%s"', (name, command) => expect(find({ verify: command.split(' ') })).toEqual([name]));
  it.each([
    'node test',
    'node x--test',
    'node --tests',
    'xnode --test',
    'vitests',
    'go tests',
    'bun testing',
  ])('none is called by "%s"', (command) => expect(find({ verify: command.split(' ') })).toEqual([]));
});

describe('a file at the root', () => {
  const shown: Readonly<Record<string, string>> = {
    deno: 'deno.json deno.jsonc',
    pytest: 'pytest.ini conftest.py tox.ini noxfile.py',
    go: 'go.mod',
    cargo: 'Cargo.toml',
    rspec: '.rspec',
    phpunit: 'phpunit.xml phpunit.xml.dist',
    junit: 'pom.xml build.gradle build.gradle.kts',
    'mix test': 'mix.exs',
    'swift test': 'Package.swift',
    'dart test': 'pubspec.yaml',
    sbt: 'build.sbt',
  };
  it.each(
    Object.entries(shown).flatMap(([name, files]) => words(files).map((file) => [name, file] as const)),
  )('%s is shown by %s', (name, file) => expect(find({ rootFiles: ['README.md', file] })).toEqual([name]));
  it('of another name shows none', () =>
    expect(find({ rootFiles: ['', 'go.mod.bak', 'deno', 'package.json'] })).toEqual([]));
});

describe('what only calls others', () => {
  const manifests = [
    { path: 'x/package.json', text: JSON.stringify({ devDependencies: { vitest: '1' } }) },
    { path: 'pyproject.toml', text: '[tool.pytest]' },
  ];
  const facts = { rootFiles: ['go.mod'], manifests };
  it.each(words('npm pnpm yarn bun npx corepack'))('%s: scripts of packages count', (program) => {
    expect(find({ ...facts, verify: [program, 'run', 'check'] })).toEqual(['vitest']);
    expect(find({ ...facts, verify: [`${program}x`] })).toEqual([]);
    expect(find({ ...facts, verify: ['sh', program] })).toEqual([]);
  });
  it.each(
    words(
      'make gmake just task tox nox poetry uv pdm hatch pipenv bundle rake composer bazel ctest ./gradlew ./mvnw',
    ),
  )('%s: all that is shown counts', (program) => {
    const found = ['./gradlew', './mvnw'].includes(program) ? ['junit'] : ['vitest', 'pytest', 'go'];
    expect(find({ ...facts, verify: [program, 'check'] })).toEqual(found);
    expect(find({ ...facts, verify: [`x${program}`] })).toEqual(found.length === 1 ? found : []);
    expect(find({ ...facts, verify: [`${program}x`] })).toEqual([]);
  });
  it('no command at all: all that is shown counts', () =>
    expect(find(facts)).toEqual(['vitest', 'pytest', 'go']));
});

describe('a manifest', () => {
  const of = (path: string, text: string) => find({ manifests: [{ path, text }] });
  it.each([
    ['package.json', '{"dependencies":{"ava":"1"}}', ['ava']],
    ['a/package.json', '{"devDependencies":{"mocha":"1"}}', ['mocha']],
    ['package.json', '{"dependencies":{"a":"1"},"devDependencies":{"jest":"1"}}', ['jest']],
    ['package.json', '{"scripts":{"a":"vitest","b":"jest"}}', ['vitest', 'jest']],
    ['package.json', '{"scripts":{"a":5,"b":"jest"}}', ['jest']],
    ['package.json', '{"scripts":null,"dependencies":null,"devDependencies":{"jest":"1"}}', ['jest']],
    ['package.json', '{"scripts":["vitest"]}', ['vitest']],
    ['package.json', '{"name":"vitest"}', []],
    ['package.json', '{"scripts":{"vitest":"x"}}', []],
    ['package.json', '{"dependencies":{"a":"vitest"}}', []],
    ['package.json', '[{"scripts":{"a":"vitest"}}]', []],
    ['package.json', '5', []],
    ['package.json', 'null', []],
    ['package.json', 'vitest', []],
    ['package.jsonc', '{"dependencies":{"ava":"1"}}', []],
    ['pyproject.toml', '[tool.pytest.ini_options]', ['pytest']],
    ['pyproject.toml', 'pytester', []],
    ['pyproject.toml', '"vitest"', []],
    ['x.txt', '[tool.pytest]', []],
  ])('%s with %s: %j', (path, text, found) => expect(of(path, text)).toEqual(found));
});
