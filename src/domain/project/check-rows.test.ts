import { describe, expect, it } from 'vitest';
import { detectChecks } from './detect-checks.ts';
import type { ProjectFacts } from './recipe.ts';

type Files = Readonly<Record<string, string>>;

function factsOf(files: Files): ProjectFacts {
  return {
    names: new Set(Object.keys(files)),
    textOf: (name) => files[name] ?? null,
    hasProgram: () => true,
  };
}

const scripts = (given: Files, more: object = {}): string => JSON.stringify({ scripts: given, ...more });
const tools = { devDependencies: { eslint: '9', typescript: '5', '@biomejs/biome': '2' } };
const cargo = 'env CARGO_HOME=target/cargo-home cargo';
const maven = 'mvn -B -Dmaven.repo.local=target/maven-repository';
const gradle = 'env GRADLE_USER_HOME=.gradle/home ./gradlew --no-daemon --offline';
const bundle = 'env BUNDLE_PATH=vendor/bundle bundle exec';
const pip = 'env PYTHONPATH=.venv/packages python3 -m';

/** The commands that test, lint and check types. */
type Row = readonly [name: string, Files, readonly (string | null)[]];

const node: readonly Row[] = [
  [
    'npm',
    {
      'package.json': scripts({ test: 'vitest', lint: 'eslint .', typecheck: 'tsc' }),
      'package-lock.json': '',
    },
    ['npm test', 'npm run lint', 'npm run typecheck'],
  ],
  [
    'pnpm',
    { 'package.json': scripts({ test: 'jest', 'type-check': 'tsc' }), 'pnpm-lock.yaml': '' },
    ['pnpm test', null, 'pnpm run type-check'],
  ],
  [
    'yarn',
    { 'package.json': scripts({ test: 'jest', 'check-types': 'tsc' }), 'yarn.lock': '' },
    ['yarn test', null, 'yarn run check-types'],
  ],
  [
    'bun',
    { 'package.json': scripts({ test: 'bun test', types: 'tsc' }), 'bun.lock': '' },
    ['bun run test', null, 'bun run types'],
  ],
  ['a script of the compiler', { 'package.json': scripts({ tsc: 'tsc' }) }, [null, null, 'npm run tsc']],
  [
    'scripts that check nothing',
    {
      'package.json': scripts({
        test: 'echo "Error: no test specified" && exit 1',
        lint: 'echo later',
        typecheck: 'true',
      }),
    },
    [null, null, null],
  ],
  [
    'a lint script that repairs, beside one that checks',
    { 'package.json': scripts({ lint: 'eslint . --fix', 'lint:check': 'eslint .' }) },
    [null, 'npm run lint:check', null],
  ],
  [
    'a lint script that repairs, with the linter itself',
    {
      'package.json': scripts({ lint: 'eslint --fix .' }, tools),
      'eslint.config.js': '',
      'tsconfig.json': '{}',
    },
    [null, 'npm exec --no -- eslint .', 'npm exec --no -- tsc --noEmit'],
  ],
  [
    'Biome',
    { 'package.json': scripts({}, tools), 'biome.json': '', 'pnpm-lock.yaml': '' },
    [null, 'pnpm exec biome ci .', null],
  ],
  [
    'a tsconfig.json that only refers to others',
    { 'package.json': scripts({}, tools), 'tsconfig.json': '{"files":[],"references":[{"path":"./a"}]}' },
    [null, null, null],
  ],
  [
    'scripts that are none',
    { 'package.json': '{"scripts":["test"],"devDependencies":7}' },
    [null, null, null],
  ],
  ['a hostile prototype', { 'package.json': '{"__proto__":{"scripts":{"test":"x"}}}' }, [null, null, null]],
];

const python: readonly Row[] = [
  [
    'uv',
    { 'uv.lock': '', 'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8", "ruff>=0.5", "mypy"]\n' },
    ['pytest', 'ruff check .', 'mypy .'].map((one) => `uv run --offline python -m ${one}`),
  ],
  [
    'poetry',
    {
      'poetry.lock': '',
      'pyproject.toml': '[tool.poetry.group.dev.dependencies]\nflake8 = "^7"\npyright = "1"\n',
    },
    ['unittest', 'flake8 --extend-exclude .venv .', 'pyright'].map((one) => `poetry run python -m ${one}`),
  ],
  [
    'pip',
    { 'requirements.txt': 'pytest==8\nruff\nmypy==1 # types\n', 'mypy.ini': '[mypy]\nfiles = src\n' },
    [`${pip} pytest`, `${pip} ruff check .`, `${pip} mypy`],
  ],
  [
    'pip with tools of the machine',
    { 'pyproject.toml': '[project]\n[tool.ruff]\n[tool.mypy]\nfiles = ["src"]\n' },
    [`${pip} unittest`, 'ruff check .', 'mypy'],
  ],
  ...(
    [
      ['a plain folder of tests', { tests: '' }, 'unittest discover -s tests'],
      [
        'a plain folder with the other name',
        { test: '', tests: '', 'tests/__init__.py': '' },
        'unittest discover -s test',
      ],
      ['tests in a package', { tests: '', 'tests/__init__.py': '' }, 'unittest'],
      ['tests beside a plain folder', { 'test_it.py': '', tests: '' }, 'unittest'],
    ] as const
  ).map(([name, files, words]): Row => [name, { 'setup.py': '', ...files }, [`${pip} ${words}`, null, null]]),
  [
    'sources in a folder of their own',
    { 'setup.py': '', src: '', 'conftest.py': '' },
    ['env PYTHONPATH=src:.venv/packages python3 -m pytest', null, null],
  ],
  [
    'names that only look like tools',
    { 'requirements.txt': 'pytest-mypy\nruff-lsp\n# ruff\nflake8-bugbear\n' },
    [`${pip} pytest`, null, null],
  ],
];

const others: readonly Row[] = [
  ['go', { 'go.mod': '' }, ['go test ./...', 'go vet ./...', 'go build -o /dev/null ./...']],
  [
    'go with golangci-lint',
    { 'go.mod': '', '.golangci.yml': '' },
    ['go test ./...', 'golangci-lint run', 'go vet ./...'],
  ],
  [
    'cargo',
    { 'Cargo.toml': '' },
    ['test --offline', 'clippy --offline --all-targets', 'check --offline --all-targets'].map(
      (one) => `${cargo} ${one}`,
    ),
  ],
  ['maven', { 'pom.xml': '' }, [`${maven} -o test`, null, `${maven} -o test-compile`]],
  [
    'maven with checkstyle',
    { 'pom.xml': '<artifactId>maven-checkstyle-plugin</artifactId>' },
    [`${maven} -o test`, `${maven} -o checkstyle:check`, `${maven} -o test-compile`],
  ],
  ['gradle', { 'build.gradle': '', gradlew: '' }, [`${gradle} test`, null, `${gradle} testClasses`]],
  [
    'ruby',
    { Gemfile: "gem 'rubocop', '~> 1'\n  gem \"sorbet\"\n", '.rspec': '', sorbet: '' },
    [`${bundle} rspec`, `${bundle} rubocop`, `${bundle} srb tc`],
  ],
  [
    'a gem',
    {
      Gemfile: 'gemspec',
      'a.gemspec': "  s.add_development_dependency 'standard'\n",
      Rakefile: 'task test: []',
    },
    [`${bundle} rake test`, `${bundle} standardrb`, null],
  ],
  [
    'rails',
    { Gemfile: "gem 'rails'", 'Gemfile.lock': 'DEPENDENCIES\n  rails (~> 8)\n  rubocop\n', test: '' },
    [`${bundle} rails test`, `${bundle} rubocop`, null],
  ],
  ['a Gemfile without tests', { Gemfile: "gem 'jekyll'" }, [null, null, null]],
  [
    'php',
    {
      'composer.json':
        '{"require-dev":{"phpunit/phpunit":"*","squizlabs/php_codesniffer":"*","phpstan/phpstan":"*"}}',
      ...{ 'phpcs.xml.dist': '', 'phpstan.neon': '' },
    },
    ['php vendor/bin/phpunit', 'php vendor/bin/phpcs', 'php vendor/bin/phpstan analyse --no-progress'],
  ],
  [
    'php with other tools',
    {
      'composer.json':
        '{"require-dev":{"friendsofphp/php-cs-fixer":"*","vimeo/psalm":"*","pestphp/pest":"*"}}',
      ...{ '.php-cs-fixer.dist.php': '', 'psalm.xml': '' },
    },
    [
      'php vendor/bin/pest',
      'php vendor/bin/php-cs-fixer fix --dry-run --diff',
      'php vendor/bin/psalm --no-progress',
    ],
  ],
  [
    'php with scripts',
    { 'composer.json': scripts({ test: 'pest', cs: 'phpcbf', 'cs:check': 'phpcs', stan: 'phpstan' }) },
    ['test', 'cs:check', 'stan'].map((one) => `composer run-script --timeout=0 ${one}`),
  ],
  [
    'dotnet',
    { 'a.csproj': '', '.editorconfig': '' },
    [
      'dotnet test --no-restore',
      'dotnet format --no-restore --verify-no-changes',
      'dotnet build --no-restore',
    ],
  ],
  ['make', { Makefile: 'test:\nlint:\ntypecheck: x\n' }, ['make test', 'make lint', 'make typecheck']],
  [
    'make as a front',
    { 'package.json': scripts({ lint: 'eslint' }), Makefile: 'test:\nlint:\ntypes:\n' },
    ['make test', 'npm run lint', 'make types'],
  ],
];

describe('the checks of a kind of project', () => {
  it.each([...node, ...python, ...others])('%s', (_, files, commands) => {
    const { tests, lint, types } = detectChecks(factsOf(files));
    expect([tests, lint, types]).toEqual(commands);
  });
});
