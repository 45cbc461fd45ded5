/** Python: uv, poetry and pip. */
import { readIniWords } from '../changes/test-globs.ts';
import { firstName, noteMissing, noteUnlessIgnored, type ProjectFacts, type Recipe } from './recipe.ts';

const hosts = ['pypi.org:443', 'files.pythonhosted.org:443'];

function hasPytest({ names, textOf }: ProjectFacts): boolean {
  const told = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt'];
  return (
    firstName(names, ['pytest.ini', 'conftest.py']) !== null ||
    told.some((name) => /\bpytest\b/u.test(textOf(name) ?? ''))
  );
}

/**
 * By itself unittest looks into packages alone, so that it would run nothing of a plain folder of tests and call that a
 * success.
 */
function unittestWords({ names, textOf }: ProjectFacts): string {
  const isAtRoot = [...names].some((name) => /^test[^/]*\.py$/u.test(name));
  const folder = ['tests', 'test'].find((name) => names.has(name) && textOf(`${name}/__init__.py`) === null);
  return isAtRoot || folder === undefined ? 'unittest' : `unittest discover -s ${folder}`;
}

interface Manager {
  readonly program: string;
  readonly file: string;
  readonly setup: string;
  /** Starts Python with what was installed. */
  readonly python: (facts: ProjectFacts) => string;
  /** The files that say what the setup installs. */
  readonly installs: readonly string[];
  readonly needsFolder: boolean;
}

const inFolder = {
  ...{ program: 'python3', needsFolder: true },
  // What is in `src` is found without being installed, and before a copy of it that is.
  python: ({ names }: ProjectFacts) =>
    `env PYTHONPATH=${names.has('src') ? 'src:' : ''}.venv/packages python3`,
};

const managers: readonly Manager[] = [
  {
    ...{ program: 'uv', file: 'uv.lock', setup: 'uv sync --locked', needsFolder: false },
    ...{ python: () => 'uv run --offline python', installs: ['pyproject.toml'] },
  },
  {
    ...{ program: 'poetry', file: 'poetry.lock', needsFolder: true },
    setup: 'env POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction',
    ...{ python: () => 'poetry run python', installs: ['pyproject.toml'] },
  },
  {
    ...{ ...inFolder, file: 'requirements.txt', installs: ['requirements.txt'] },
    setup: 'python3 -m pip install --target .venv/packages -r requirements.txt',
  },
  // What only develops the project is an extra here, and pip installs no extras.
  ...['pyproject.toml', 'setup.py'].map((file) => ({
    ...{ ...inFolder, file, installs: [] },
    setup: 'python3 -m pip install --target .venv/packages .',
  })),
];

interface Tool {
  readonly name: string;
  /** What follows the name of the module. */
  readonly words: (facts: ProjectFacts) => string;
  readonly files: readonly string[];
  /** A section of settings, in the files that hold several. */
  readonly section: RegExp;
}

/** Without arguments mypy checks what its settings name; without such settings that is an error. */
function mypyWords({ textOf }: ProjectFacts): string {
  const places = [
    ...['mypy.ini', '.mypy.ini', 'setup.cfg'].map((file) => [file, 'mypy'] as const),
    ['pyproject.toml', 'tool.mypy'] as const,
  ];
  const isTold = places.some(([file, section]) =>
    ['files', 'packages', 'modules'].some((name) => readIniWords(textOf(file) ?? '', section, name) !== null),
  );
  return isTold ? '' : ' .';
}

const linters: readonly Tool[] = [
  {
    ...{ name: 'ruff', words: () => ' check .', files: ['ruff.toml', '.ruff.toml'] },
    section: /^\[tool\.ruff[\].]/mu,
  },
  {
    // By itself it would also look at what is installed there.
    ...{ name: 'flake8', words: () => ' --extend-exclude .venv .', files: ['.flake8'] },
    section: /^\[flake8\]/mu,
  },
];

const typeCheckers: readonly Tool[] = [
  {
    ...{ name: 'mypy', words: mypyWords, files: ['mypy.ini', '.mypy.ini'] },
    section: /^\[(?:tool\.)?mypy[\].]/mu,
  },
  {
    ...{ name: 'pyright', words: () => '', files: ['pyrightconfig.json'] },
    section: /^\[tool\.pyright[\].]/mu,
  },
];

const settingsFiles = ['pyproject.toml', 'setup.cfg', 'tox.ini'];

/** Named as a package and not as a part of another name, outside of comments and of headings such as `[tool.ruff]`. */
function isNamed(text: string, tool: string): boolean {
  const lines = text.split(/\r?\n/u).map((line) => line.replace(/(?:^|\s)#.*$/u, ''));
  const name = new RegExp(`(?<![\\w./-])${tool}(?![\\w./-])`, 'u');
  return lines.some((line) => !/^\s*\[[\w."-]+\]\s*$/u.test(line) && name.test(line));
}

interface Check {
  readonly command: string | null;
  readonly notes: readonly string[];
}

function findTool(
  facts: ProjectFacts,
  { python, installs }: Manager,
  tools: readonly Tool[],
  what: 'lint' | 'type check',
): Check {
  const { names, textOf, hasProgram } = facts;
  const installed = tools.find(({ name }) => installs.some((file) => isNamed(textOf(file) ?? '', name)));
  if (installed !== undefined)
    return { command: `${python(facts)} -m ${installed.name}${installed.words(facts)}`, notes: [] };
  const set = tools.filter(
    ({ files, section }) =>
      firstName(names, files) !== null || settingsFiles.some((file) => section.test(textOf(file) ?? '')),
  );
  const there = set.find(({ name }) => hasProgram(name));
  if (there !== undefined) return { command: `${there.name}${there.words(facts)}`, notes: [] };
  return { command: null, notes: set.slice(0, 1).map(({ name }) => noteMissing(name, what)) };
}

export function detectPython(facts: ProjectFacts): Recipe | null {
  const manager = managers.find(({ file }) => facts.names.has(file));
  if (manager === undefined) return null;
  const { program, file, setup, python, needsFolder } = manager;
  const lint = findTool(facts, manager, linters, 'lint');
  const types = findTool(facts, manager, typeCheckers, 'type check');
  return {
    ...{ program, file, setup, hosts },
    verify: `${python(facts)} -m ${hasPytest(facts) ? 'pytest' : unittestWords(facts)}`,
    lint: lint.command,
    types: types.command,
    testNotes: [],
    setupNotes: needsFolder ? noteUnlessIgnored(facts, '.venv') : [],
    checkNotes: [...lint.notes, ...types.notes],
  };
}
