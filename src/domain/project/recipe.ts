/**
 * What is known of one kind of project: how it is recognised, and the commands that install, test, lint and type-check
 * it. Commands and hosts stand in the recipes alone. What a repository writes into its files decides which of them is
 * taken, and never becomes a part of one.
 */

export interface ProjectFacts {
  /** Names of files and folders in the root. */
  readonly names: ReadonlySet<string>;
  /** Texts of the files that `isProjectFile` names; null when they are not there. */
  readonly textOf: (path: string) => string | null;
  /** Whether a program is on the search path. */
  readonly hasProgram: (name: string) => boolean;
}

/** What the commands of a project do: a command, or null when none is known. */
export interface Commands {
  readonly verify: string | null;
  readonly lint: string | null;
  readonly types: string | null;
}

export interface Recipe extends Commands {
  readonly program: string;
  /** The file that it was recognised by. */
  readonly file: string;
  /** Null: nothing has to be installed, or it is not known how. */
  readonly setup: string | null;
  readonly hosts: readonly string[];
  /** What a person should know about installing. */
  readonly setupNotes: readonly string[];
  /** Why there is no command that tests. */
  readonly testNotes: readonly string[];
  /** Why a linter or a type checker that the project seems to have is not proposed. */
  readonly checkNotes: readonly string[];
}

export type Detector = (facts: ProjectFacts) => Recipe | null;

const readFiles: ReadonlySet<string> = new Set([
  ...['package.json', '.npmrc', 'tsconfig.json', '.gitignore', 'GNUmakefile', 'makefile', 'Makefile'],
  ...['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'requirements.txt', 'requirements-dev.txt'],
  ...['mypy.ini', '.mypy.ini', 'pom.xml', 'Gemfile', 'Gemfile.lock', 'Rakefile', 'composer.json'],
  ...['build.gradle', 'build.gradle.kts', 'tests/__init__.py', 'test/__init__.py'],
]);

/** Whether `textOf` is asked for the file at this path: a caller who reads slowly can read these before. */
export function isProjectFile(path: string): boolean {
  return readFiles.has(path) || (path.endsWith('.gemspec') && !path.includes('/'));
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A file that its own program cannot read either is empty: nothing is known of it. */
export function parseObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text ?? 'null'));
  } catch {
    return {};
  }
}

/** Whether git is told to leave a folder out. An entry that is written in another way is not recognised. */
function isIgnored({ textOf }: ProjectFacts, folder: string): boolean {
  const lines = (textOf('.gitignore') ?? '').split(/\r?\n/u).map((line) => line.trim());
  return lines.some((line) => [folder, `/${folder}`, `${folder}/`, `/${folder}/`].includes(line));
}

/** @param outer the folder that it is in, if that may be left out as a whole */
export function noteUnlessIgnored(facts: ProjectFacts, folder: string, outer = folder): string[] {
  return isIgnored(facts, folder) || isIgnored(facts, outer)
    ? []
    : [`add ${folder}/ to .gitignore: dependencies are installed there, and must not be committed`];
}

/** The first of the names that is in the root. */
export function firstName(names: ReadonlySet<string>, wanted: readonly string[]): string | null {
  return wanted.find((name) => names.has(name)) ?? null;
}

/** A tool that the project has settings for, and that the machine may lack. */
export function noteMissing(tool: string, what: 'lint' | 'type check'): string {
  return `the project seems to use ${tool}, but it is neither installed with the project nor on your PATH, so no command for the ${what} is proposed`;
}
