/**
 * Which dependencies a change adds, removes or changes, by the lines of its difference in the manifests of the common
 * package managers. Lock files only follow manifests and are not read. A manifest of another kind is named as one that
 * was not read, so that no silence passes for an answer.
 */
import { judgePath } from '../../../../domain/changes/path-class.ts';
import type { DiffFile, DiffLine } from '../../../../runs/coding/proof/rules/read-diff.ts';

interface DependencyChange {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
}

interface DependencyChanges {
  readonly changes: readonly DependencyChange[];
  /** Changed manifests that no rule here reads. */
  readonly unread: readonly string[];
}

/** Reads the name of a dependency in a line; `section` is the nearest heading above it that the difference shows. */
type Reader = (text: string, section: string | null) => string | null;

interface Manifest {
  readonly files: RegExp;
  /** A line that begins a part of the file, and the name of that part. */
  readonly section: RegExp | null;
  /** A line that ends it. */
  readonly end?: RegExp;
  readonly read: Reader;
}

const longestLine = 1000;
const named =
  (form: RegExp): Reader =>
  (text) =>
    form.exec(text)?.[1] ?? null;

const jsonSections =
  /^(?:dependencies|devDependencies|peerDependencies|optionalDependencies|overrides|resolutions|require|require-dev)$/u;
const jsonEntry = /^\s*"([^"]{1,214})"\s*:\s*"([^"]*)"\s*,?\s*$/u;
/** Without a heading in sight, only what has the form of a range of versions counts. */
const range =
  /^(?:[\^~<>=*v]|\d+(?:\.[\dx*]+|$)|latest$|workspace:|npm:|file:|link:|git|https?:|github:|dev-)/u;
const notPackages =
  /^(?:version|node|npm|pnpm|yarn|bun|vscode|php|ext-.*|name|type|license|packageManager|minimum-stability)$/u;

const readJson: Reader = (text, section) => {
  const [, name = '', value = ''] = jsonEntry.exec(text) ?? [];
  if (name === '' || notPackages.test(name)) return null;
  return (section === null ? range.test(value) : jsonSections.test(section)) ? name : null;
};

const tomlSections =
  /(?:^|[.-])(?:dependencies|dependency-groups|optional-dependencies|require-dev)(?:\.|$)/u;
const tomlKeys =
  /^(?:version|edition|rust-version|resolver|name|python|requires-python|target-version|python_version)$/u;
const tomlEntry = /^\s*"?([A-Za-z0-9][\w.-]*)"?\s*=\s*(.*)$/u;
const requirement = /^\s*["']([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:[<>=!~]=?|@)[^"']*["'],?\s*$/u;

/** `[dependencies.name]` is a heading and an entry in one. */
const tomlHeading = /^\s*\[(?:[\w.'"()=, -]+\.)?(?:dev-|build-)?dependencies\.["']?([\w.-]+)["']?\]/u;

const readToml: Reader = (text, section) => {
  const inList = requirement.exec(text)?.[1];
  if (inList !== undefined) return inList;
  const inHeading = tomlHeading.exec(text)?.[1];
  if (inHeading !== undefined) return inHeading;
  const [, name = '', value = ''] = tomlEntry.exec(text) ?? [];
  if (name === '' || tomlKeys.test(name)) return null;
  if (section !== null) return tomlSections.test(section) ? name : null;
  return /^"[\^~<>=]|^"\d+(?:\.\d+)+"|^\{.*\b(?:version|git|path|workspace)\s*=/u.test(value) ? name : null;
};

const isRequired = (text: string, section: string | null): boolean =>
  section === null || section === 'require' || /^\s*require\s/u.test(text);

const manifests: readonly Manifest[] = [
  {
    ...{ files: /(?:^|\/)(?:package|composer)\.json$/u, section: /^\s*"([^"]+)"\s*:\s*\{/u, end: /^\s*\}/u },
    read: readJson,
  },
  {
    ...{ files: /(?:^|\/)(?:pyproject|cargo)\.toml$/iu, section: /^\s*\[+([^\]]+)\]+\s*$/u },
    read: readToml,
  },
  {
    ...{
      files: /(?:^|\/)(?:[^/]*requirements[^/]*\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in))$/iu,
      section: null,
    },
    read: named(/^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=!~]=|[<>@;#]|$)/u),
  },
  {
    ...{ files: /(?:^|\/)go\.mod$/u, section: /^\s*(\w+)\s*\($/u, end: /^\s*\)/u },
    read: (text, section) => {
      // What is only needed by others follows from the rest.
      if (/\/\/\s*indirect/u.test(text) || !isRequired(text, section)) return null;
      return /^\s*(?:require\s+)?([\w-]+(?:\.[\w-]+)+(?:\/\S+)?)\s+v\d/u.exec(text)?.[1] ?? null;
    },
  },
  { files: /(?:^|\/)(?:Gemfile|gems\.rb)$/u, section: null, read: named(/^\s*gem[\s(]+["']([^"']+)["']/u) },
  { files: /\.gemspec$/u, section: null, read: named(/\.add_\w*dependency[\s(]+["']([^"']+)["']/u) },
  {
    ...{ files: /(?:^|\/)pom\.xml$/u, section: /^\s*<(dependency|plugin|parent)>/u },
    read: (text, section) =>
      section === 'dependency' ? (/<artifactId>\s*([^<\s]+)\s*</u.exec(text)?.[1] ?? null) : null,
  },
  {
    ...{ files: /\.gradle(?:\.kts)?$/u, section: null },
    read: named(
      /^\s*(?:implementation|api|compileOnly|runtimeOnly|annotationProcessor|kapt|ksp|test\w*|compile)\b[\s(]*(?:platform\()?["']([^"':]+:[^"':]+)(?::[^"']*)?["']/u,
    ),
  },
  {
    ...{ files: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Packages\.props$/u, section: null },
    read: named(/<Package(?:Reference|Version)\s+(?:Include|Update)="([^"]+)"/u),
  },
];

const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|go\.sum|packages\.lock\.json|Package\.resolved|[^/]+\.lock)$/u;

/** The part that was begun above has ended. */
const closed = '';

interface Entry {
  readonly name: string;
  readonly line: number;
  readonly text: string;
}

function readSide(file: DiffFile, { section, end, read }: Manifest, sign: '+' | '-'): Entry[] {
  const other = sign === '+' ? '-' : '+';
  return file.hunks.flatMap(({ lines }) => {
    let current: string | null = null;
    return lines
      .filter((line) => line.sign !== other)
      .flatMap(({ text, line, sign: own }: DiffLine): Entry[] => {
        if (text.length > longestLine) return [];
        const heading = section?.exec(text)?.[1];
        const name = own === sign ? read(text, current) : null;
        if (heading !== undefined) current = heading;
        else if (end?.test(text) === true) current = closed;
        return name === null ? [] : [{ name, line, text: text.trim().replace(/,$/u, '') }];
      });
  });
}

function compare(path: string, added: readonly Entry[], removed: readonly Entry[]): DependencyChange[] {
  const gone = new Map(removed.map((entry) => [entry.name, entry]));
  const come = new Map(added.map((entry) => [entry.name, entry]));
  return [
    ...[...come.values()].flatMap(({ name, line, text }): DependencyChange[] => {
      const before = gone.get(name);
      // The same line in another place, or with a comma more.
      if (before?.text === text) return [];
      return [{ path, line, name, change: before === undefined ? 'added' : 'changed' }];
    }),
    ...[...gone.values()]
      .filter(({ name }) => !come.has(name))
      .map(({ name, line }): DependencyChange => ({ path, line, name, change: 'removed' })),
  ];
}

export function findDependencyChanges(files: readonly DiffFile[]): DependencyChanges {
  const changes: DependencyChange[] = [];
  const unread: string[] = [];
  for (const file of files) {
    const manifest = manifests.find((one) => one.files.test(file.path));
    if (manifest !== undefined)
      changes.push(...compare(file.path, readSide(file, manifest, '+'), readSide(file, manifest, '-')));
    else if (judgePath(file.path).class === 'dependencies' && !lockFile.test(file.path))
      unread.push(file.path);
  }
  return { changes, unread };
}
