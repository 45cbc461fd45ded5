import { describe, expect, it } from 'vitest';
import { makeDiff } from '../../../../../test/support/make-diff.ts';
import { readDiff } from '../../../../runs/coding/proof/rules/read-diff.ts';
import { findDependencyChanges } from './dependency-changes.ts';

const far = Array.from({ length: 12 }, (_, index) => `    "part-${index}": "^1.0.0"`).join(',\n');
const json = (dependencies: string, more = ''): string =>
  `{\n  "name": "x",\n  "version": "1.0.0",${more}\n  "scripts": {\n    "test": "node --test"\n  },\n  "dependencies": {\n${dependencies}\n  },\n  "engines": {\n    "node": ">=22"\n  }\n}\n`;

function look(path: string, before: string, after: string): string[] {
  const { changes, unread } = findDependencyChanges(
    readDiff(makeDiff({ [path]: before }, { [path]: after })),
  );
  return [...changes.map(({ name, change }) => `${change} ${name}`), ...unread.map((one) => `unread ${one}`)];
}

describe('the dependencies that a change touches', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['package.json', json(far), json(`${far},\n    "left-pad": "^1.3.0"`), ['added left-pad']],
    ['package.json', json(`${far},\n    "left-pad": "^1.3.0"`), json(far), ['removed left-pad']],
    [
      'packages/a/package.json',
      json(far),
      json(far.replace('"part-3": "^1', '"part-3": "^2')),
      ['changed part-3'],
    ],
    ['package.json', json(far), json(far).replace('"1.0.0"', '"1.1.0"').replace('>=22', '>=24'), []],
    ['package.json', json(far), json(far).replace('node --test', '1.2.3'), []],
    ['package.json', json(far), json(far).replace('"test"', '"lint": "latest",\n    "test"'), []],
    ['package.json', json(far), json(far, '\n  "private": true,'), []],
    [
      'composer.json',
      '{\n  "require": {\n  }\n}\n',
      '{\n  "require": {\n    "php": "^8",\n    "a/b": "dev-main"\n  }\n}\n',
      ['added a/b'],
    ],
    [
      'requirements-dev.txt',
      'requests==2\n# x\n',
      'requests==3\n# y\nruff\nmypy[x]>=1\n-r other.txt\n',
      ['changed requests', 'added ruff', 'added mypy'],
    ],
    [
      'pyproject.toml',
      '[project]\nname = "x"\ndependencies = [\n]\n',
      '[project]\nname = "y"\ndependencies = [\n  "httpx>=0.27",\n]\n',
      ['added httpx'],
    ],
    [
      'pyproject.toml',
      '[tool.poetry.dependencies]\npython = "^3.11"\n',
      '[tool.poetry.dependencies]\npython = "^3.12"\nhttpx = "*"\n',
      ['added httpx'],
    ],
    [
      'pyproject.toml',
      '[tool.ruff]\nline-length = 100\n',
      '[tool.ruff]\nline-length = 120\ntarget = "^1"\n',
      [],
    ],
    [
      'Cargo.toml',
      '[package]\nversion = "0.1.0"\n',
      '[package]\nversion = "0.2.0"\n\n[dependencies]\nserde = { version = "1" }\n',
      ['added serde'],
    ],
    [
      'Cargo.toml',
      '[package]\n',
      '[package]\n\n[dev-dependencies.proptest]\nversion = "1"\n',
      ['added proptest'],
    ],
    [
      'go.mod',
      'module x\n\nrequire (\n\ta.com/b v1.0.0\n)\n',
      'module x\n\nrequire (\n\ta.com/b v1.0.1\n\tc.com/d v1.0.0\n\te.com/f v1.0.0 // indirect\n)\n\nrequire g.com/h v1.0.0\n',
      ['changed a.com/b', 'added c.com/d', 'added g.com/h'],
    ],
    ['go.mod', 'module x\n', 'module x\n\nreplace (\n\ta.com/b v1.0.0 => ../b\n)\n', []],
    ['Gemfile', "gem 'rails'\n", "gem 'rails', '8'\ngem 'pg'\n", ['changed rails', 'added pg']],
    ['a.gemspec', "s.name = 'a'\n", "s.name = 'b'\ns.add_dependency 'pg'\n", ['added pg']],
    [
      'pom.xml',
      '<x>\n</x>\n',
      '<x>\n<dependency>\n<artifactId>a</artifactId>\n</dependency>\n<plugin>\n<artifactId>p</artifactId>\n</plugin>\n</x>\n',
      ['added a'],
    ],
    [
      'app/build.gradle.kts',
      'plugins {}\n',
      'plugins {}\nimplementation("a:b:1")\ntestImplementation("c:d")\n',
      ['added a:b', 'added c:d'],
    ],
    ['a.csproj', '<P>\n</P>\n', '<P>\n<PackageReference Include="N" Version="1" />\n</P>\n', ['added N']],
    ['package-lock.json', '{}\n', '{"a": "^1"}\n', []],
    ['yarn.lock', 'a\n', 'b\n', []],
    ['mix.exs', 'a\n', 'b\n', ['unread mix.exs']],
    ['src/a.ts', 'a\n', '"x": "^1"\n', []],
  ])('%s: %j → %j', (path, before, after, expected) => {
    expect(look(path, before, after)).toEqual(expected);
  });

  it('are told with their line', () => {
    const diff = makeDiff({ 'package.json': json(far) }, { 'package.json': json(`    "a": "^1",\n${far}`) });
    expect(findDependencyChanges(readDiff(diff)).changes).toEqual([
      { path: 'package.json', line: 8, name: 'a', change: 'added' },
    ]);
  });
});
