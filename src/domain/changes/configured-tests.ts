/**
 * Which files a project's own commands and configuration name as tests, where they differ from the defaults of the
 * runner. Everything is read from the base. Pure.
 */
import { globSource, globsToExpression, noTests, readIniWords, readListLiteral } from './test-globs.ts';

/** A file that configures a runner, by its path and its text. */
export interface Manifest {
  readonly path: string;
  readonly text: string;
}

/** Names of files that are worth reading, in the root and in the folders above what is changed. */
export const runnerFiles: readonly string[] = [
  ...['package.json', 'pyproject.toml', 'pytest.ini', 'tox.ini', 'setup.cfg', '.mocharc.json'],
  ...['jest', 'vitest', 'vite', 'ava'].flatMap((name) =>
    ['js', 'ts', 'mjs', 'cjs', 'mts', 'json'].map((end) => `${name}.config.${end}`),
  ),
];

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? { ...json } : {};
  } catch {
    return {};
  }
}

/** Undefined when it is not there; null when it is and is no list of texts. */
function listIn(value: unknown, name: string): string[] | null | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  if (typeof found === 'string') return [found];
  return Array.isArray(found) && found.every((one) => typeof one === 'string') ? found : null;
}

/** Patterns of pytest are compared with the name of a file alone, unless they hold a slash. */
function pytestGlobs(words: readonly string[]): string[] {
  return words.map((word) => (word.includes('/') ? word : `**/${word}`));
}

/** Patterns; null when they cannot be read, undefined when the file says nothing about the runner. */
type Said = readonly string[] | null | undefined;

function jestGlobs({ path, text }: Manifest): Said {
  const name = nameOf(path);
  const { jest } = name === 'package.json' ? parseObject(text) : {};
  if (name !== 'package.json' && !name.startsWith('jest.config.')) return undefined;
  const read = (key: string): Said =>
    name === 'package.json' ? listIn(jest, key) : readListLiteral(text, key);
  // An expression is not read: then no file is known to be a test.
  return read('testRegex') === undefined ? read('testMatch') : null;
}

function avaGlobs({ path, text }: Manifest): Said {
  const name = nameOf(path);
  if (name === 'package.json') return listIn(parseObject(text).ava, 'files');
  return name.startsWith('ava.config.') ? readListLiteral(text, 'files') : undefined;
}

function mochaGlobs({ path, text }: Manifest): Said {
  const name = nameOf(path);
  if (name === 'package.json') return listIn(parseObject(text).mocha, 'spec');
  return name === '.mocharc.json' ? listIn(parseObject(text), 'spec') : undefined;
}

function vitestGlobs({ path, text }: Manifest): Said {
  const start = text.search(/\btest\s*:/u);
  if (!/^vite(?:st)?\.config\./u.test(nameOf(path)) || start === -1) return undefined;
  // Coverage has an `include` of its own.
  return readListLiteral(text.slice(start).split(/\bcoverage\s*:/u)[0] ?? '', 'include');
}

function pytestFiles({ path, text }: Manifest): Said {
  const name = nameOf(path);
  if (name === 'pyproject.toml') {
    if (!/^\[tool\.pytest\.ini_options\]/mu.test(text)) return undefined;
    const words = readListLiteral(text, 'python_files');
    return words == null ? words : pytestGlobs(words.flatMap((word) => word.split(/\s+/u)));
  }
  const section = { 'pytest.ini': 'pytest', 'tox.ini': 'pytest', 'setup.cfg': 'tool:pytest' }[name];
  const words = section === undefined ? null : readIniWords(text, section, 'python_files');
  return words === null ? undefined : pytestGlobs(words);
}

const readers: Readonly<Record<string, (manifest: Manifest) => Said>> = {
  jest: jestGlobs,
  ava: avaGlobs,
  mocha: mochaGlobs,
  vitest: vitestGlobs,
  pytest: pytestFiles,
};

/** What the project says its runner runs; null when it says nothing and the runner's defaults hold. */
export function configuredRuns(manifests: readonly Manifest[], runner: string): RegExp | null {
  const found = manifests.flatMap((manifest) => {
    const globs = readers[runner]?.(manifest);
    if (globs === undefined) return [];
    return [globs === null ? noTests : globsToExpression(globs, folderOf(manifest.path))];
  });
  if (found.length === 0) return null;
  return new RegExp(found.map(({ source }) => `(?:${source})`).join('|'), 'u');
}

/** Programs that run the files which they are given. */
const runsFiles =
  /^(?:(?:npx|c8|nyc|cross-env(?: \w+=\S+)*|tsx|ts-node|node|deno run|bun|python3?|ruby|php|tape|tap|uvu|qunit|jasmine|mocha|ava|zora|lab|borp)\s+)+/u;
/** A file that is run is a test if its name or its folder says so: a build can be run in the same way. */
const saysTest = /(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._*-]|$)/iu;
const looksLikeFile = /\.(?:[cm]?[jt]sx?|py|rb|php)$|[*/]/u;

/**
 * Files and patterns that a command names itself, such as `node test.js` or `tape 'test/*.js'`. Only plain commands are
 * read, one after the other; a line with anything else of a shell names nothing.
 */
export function filesInCommand(command: string): string[] {
  return command.split(/&&|;/u).flatMap((part) => {
    const plain = part.trim();
    if (!runsFiles.test(plain) || /[|<>$`()\\]/u.test(plain)) return [];
    const words = plain.split(/\s+/u).map((word) => word.replace(/^(['"])(.*)\1$/u, '$2'));
    return words.filter(
      (word) =>
        !word.startsWith('-') && saysTest.test(word) && looksLikeFile.test(word) && globSource(word) !== null,
    );
  });
}
