/** What a test is follows the project: its command, its scripts and the configuration of its runner. */
import { describe, expect, it } from 'vitest';
import { filesInCommand } from './configured-tests.ts';
import { judgePath } from './path-class.ts';
import { findTestRunners } from './test-runners.ts';

const packageJson = (json: object, path = 'package.json') => ({ path, text: JSON.stringify(json) });
const script = (test: string, more: object = {}) => [packageJson({ scripts: { test }, ...more })];
const file = (path: string, text: string) => [{ path, text }];

function testsOf(
  verify: string,
  manifests: readonly { path: string; text: string }[],
  paths: readonly string[],
): string[] {
  const runners = findTestRunners({ verify: verify.split(' '), rootFiles: [], manifests });
  return paths.filter((path) => judgePath(path, runners).class === 'test');
}

describe('what a test is', () => {
  it.each<[string, string, readonly { path: string; text: string }[], readonly string[], readonly string[]]>([
    [
      'ava at the root',
      'npm test',
      script('xo && ava && tsd'),
      ['test.js', 'test-slug.js'],
      ['index.js', 'index.test-d.ts'],
    ],
    [
      'a script that runs a file',
      'npm test',
      script('node test.js'),
      ['test.js'],
      ['test/other.js', 'tests.js'],
    ],
    ['the command itself', 'node test/run-tests.js', [], ['test/run-tests.js'], ['test.js']],
    ['tape with a glob', 'npm test', script("tape 'test/*.js'"), ['test/a.js'], ['test/deep/a.js']],
    ['mocha with a glob', 'npx mocha spec/**/*.js', [], ['spec/a.js', 'spec/b/c.js'], ['lib/a.js']],
    [
      '.mocharc.json',
      'npm test',
      [...script('mocha'), ...file('.mocharc.json', '{"spec":"unit/**/*.js"}')],
      ['unit/a.js'],
      ['test/a.js'],
    ],
    [
      'jest in package.json',
      'npm test',
      script('jest', { jest: { testMatch: ['**/*.check.ts'] } }),
      ['src/a.check.ts'],
      ['src/a.test.ts'],
    ],
    [
      'jest.config.js',
      'npx jest',
      file('jest.config.js', "module.exports = { testMatch: ['<rootDir>/unit/*.js'] }"),
      ['unit/a.js'],
      ['src/a.test.js'],
    ],
    [
      'jest with an expression, which is not read',
      'npx jest',
      file('jest.config.js', "module.exports = { testRegex: 'x' }"),
      [],
      ['src/a.test.js'],
    ],
    [
      'vitest.config.ts',
      'npx vitest',
      file(
        'vitest.config.ts',
        "export default { test: { include: ['spec/**/*.ts'], coverage: { include: ['src'] } } }",
      ),
      ['spec/a/b.ts'],
      ['src/a.test.ts'],
    ],
    [
      'vitest without an include of its own',
      'npx vitest',
      file('vitest.config.ts', "export default { test: { coverage: { include: ['src/**'] } } }"),
      ['src/a.test.ts'],
      ['src/a.ts'],
    ],
    [
      'pytest.ini',
      'pytest',
      file('pytest.ini', '[pytest]\npython_files = test_*.py tests.py\n'),
      ['tests.py', 'app/tests.py', 'app/test_a.py'],
      ['app/a_test.py'],
    ],
    [
      'pyproject.toml',
      'pytest',
      file('pyproject.toml', '[tool.pytest.ini_options]\npython_files = ["check_*.py"]\n'),
      ['app/check_a.py'],
      ['app/test_a.py'],
    ],
    ['Django', 'python manage.py test', [], ['app/tests.py', 'app/test_views.py'], ['app/views.py']],
    ['go', 'go test ./...', [], ['a_test.go'], ['a.go']],
    [
      'a package in a folder',
      'npm test',
      [
        ...script('npm test --workspaces'),
        packageJson({ scripts: { test: 'node test.js' } }, 'packages/a/package.json'),
      ],
      ['packages/a/test.js'],
      ['packages/b/test.js', 'test.js'],
    ],
  ])('%s', (_, verify, manifests, tests, others) => {
    expect(testsOf(verify, manifests, [...tests, ...others])).toEqual(tests);
  });

  it('is never what steers builds or agents, whatever a pattern says', () => {
    const manifests = script("tape '**/*test*'");
    expect(
      testsOf('npm test', manifests, ['.github/workflows/test.yml', '.claude/test.js', 'test/.hidden.js']),
    ).toEqual([]);
  });
});

describe('filesInCommand', () => {
  it.each([
    ['node test.js', ['test.js']],
    ['c8 node test/index.js && eslint .', ['test/index.js']],
    ['node build.js', []],
    ['node --import tsx test/*.ts', ['test/*.ts']],
    ['cat test.js', []],
    ['node $(echo test.js)', []],
    ['node test.js | tee log', []],
    ['node ../test.js', []],
  ])('%s', (command, files) => expect(filesInCommand(command)).toEqual(files));
});
