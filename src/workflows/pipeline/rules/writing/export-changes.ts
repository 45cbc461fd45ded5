/**
 * Which names an entry file of a package no longer exports, or exports in another form, by the lines of a difference. What
 * an entry file passes on from elsewhere may change there; that is not seen here.
 */
import type { DiffFile, DiffLine } from '../../../../runs/coding/proof/rules/read-diff.ts';

export interface ExportChange {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly change: 'removed' | 'changed';
}

interface Export {
  readonly name: string;
  /** What a caller relies on; two that are equal are the same to a caller. */
  readonly form: string;
  readonly line: number;
}

interface Language {
  readonly entries: RegExp;
  /** A line that begins a list of exported names, which may go on over more lines. */
  readonly opens: RegExp;
  readonly closes: RegExp;
  /** What a line exports by itself. */
  readonly read: (text: string) => { readonly name: string; readonly form: string } | null;
}

const longestLine = 1000;
const squeeze = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/[;{]\s*$/u, '')
    .trim();

/** The value of a constant may change; what it is called and its written type may not. */
function readScript(text: string): { readonly name: string; readonly form: string } | null {
  const star = /^\s*export\s+(?:type\s+)?\*(?:\s+as\s+(\w+))?\s+from\s+(["'][^"']+["'])/u.exec(text);
  if (star !== null) return { name: star[1] ?? `* from ${star[2] ?? ''}`, form: 'all' };
  if (/^\s*export\s+default\b/u.test(text)) return { name: 'default', form: 'default' };
  const [, kind = '', name] =
    /^\s*export\s+(?:declare\s+)?((?:async\s+)?function\*?|(?:abstract\s+)?class|const(?:\s+enum)?|let|var|interface|type|enum|namespace)\s+([\w$]+)/u.exec(
      text,
    ) ?? [];
  if (name === undefined) return null;
  const isValue = /^(?:const|let|var)$/u.test(kind);
  return { name, form: squeeze(isValue ? (text.split(/=(?![>=])/u)[0] ?? '') : text) };
}

function readPython(text: string): { readonly name: string; readonly form: string } | null {
  const [, name] = /^(?:async\s+)?(?:def|class)\s+([A-Za-z]\w*)/u.exec(text) ?? [];
  return name === undefined ? null : { name, form: squeeze(text.replace(/:\s*$/u, '')) };
}

function readRust(text: string): { readonly name: string; readonly form: string } | null {
  const [, name] =
    /^\s*pub\s+(?:(?:async|unsafe|const|extern\s+"[^"]*")\s+)*(?:fn|struct|enum|trait|type|mod|const|static|union)\s+(\w+)/u.exec(
      text,
    ) ?? [];
  return name === undefined ? null : { name, form: squeeze(text) };
}

const languages: readonly Language[] = [
  {
    entries:
      /(?:^|\/)(?:index|main|lib|mod|api|exports|public|public-api)\.(?:d\.)?[cm]?[jt]sx?$|\.d\.[cm]?ts$/u,
    opens: /^\s*export\s+(?:type\s+)?\{/u,
    closes: /\}/u,
    read: readScript,
  },
  {
    entries: /(?:^|\/)__init__\.pyi?$/u,
    opens: /^(?:__all__\s*\+?=\s*[[(]|from\s+\.[\w.]*\s+import\b)/u,
    closes: /[\])]\s*$/u,
    read: readPython,
  },
  {
    entries: /(?:^|\/)(?:lib|mod)\.rs$/u,
    opens: /^\s*pub\s+use\b/u,
    closes: /;/u,
    read: readRust,
  },
];

/** The names in a part of a list: of `a as b` the outer name. */
function namesIn(text: string): string[] {
  const inner = text
    .replace(/^\s*(?:export\s+(?:type\s+)?|pub\s+use\b|from\s+\S+\s+import\b|__all__\s*\+?=)/u, '')
    .replace(/\bfrom\s+["'][^"']*["'].*$|\/\/.*$|#.*$/u, '');
  return inner
    .split(/[,{}()[\];]+/u)
    .map((part) => part.trim())
    .map((part) => /(?:^|\s|::|["'])([\w$*]+)["']?$/u.exec(part)?.[1] ?? '')
    .filter((name) => name !== '' && name !== 'type');
}

/** Whether a list that a line opens goes on in the next line. */
function staysOpen(text: string, { opens, closes }: Language): boolean {
  const isPlainImport = /^from\s/u.test(text) && !text.includes('(');
  return opens.test(text) && !closes.test(text) && !isPlainImport;
}

function readExports(file: DiffFile, language: Language, side: '+' | '-'): Export[] {
  const other = side === '+' ? '-' : '+';
  return file.hunks.flatMap(({ lines, below }) => {
    let isOpen = staysOpen(below, language);
    return lines
      .filter(({ sign }) => sign !== other)
      .flatMap(({ text, line, sign }: DiffLine): Export[] => {
        const isInList = isOpen || language.opens.test(text);
        isOpen = isOpen ? !language.closes.test(text) : staysOpen(text, language);
        if (sign !== side || text.length > longestLine) return [];
        if (isInList) return namesIn(text).map((name) => ({ name, form: 'listed', line }));
        const one = language.read(text);
        return one === null ? [] : [{ ...one, line }];
      });
  });
}

const entryField = /^\s*"(main|module|types|typings|exports|bin|browser|\.(?:\/[^"]*)?)"\s*:/u;

/** What package.json offers to others: the lines of its entry fields that are gone or say something else. */
function findManifestChanges(file: DiffFile): ExportChange[] {
  const read = (side: '+' | '-'): Export[] =>
    file.hunks.flatMap(({ lines }) =>
      lines
        .filter(({ sign, text }) => sign === side && text.length <= longestLine && entryField.test(text))
        .map(({ text, line }) => ({
          name: entryField.exec(text)?.[1] ?? '',
          form: squeeze(text).replace(/,$/u, ''),
          line,
        })),
    );
  return compare(file.path, read('-'), read('+'));
}

function compare(path: string, removed: readonly Export[], added: readonly Export[]): ExportChange[] {
  return removed.flatMap(({ name, form, line }): ExportChange[] => {
    const now = added.filter((one) => one.name === name);
    // A list names no form: what it passes on may be what stood here before.
    if (now.some((one) => one.form === form || one.form === 'listed' || form === 'listed')) return [];
    return [{ path, line: now[0]?.line ?? line, name, change: now.length === 0 ? 'removed' : 'changed' }];
  });
}

/** Whether the names that a file exports are looked at. */
export function isEntryFile(path: string): boolean {
  return /(?:^|\/)package\.json$/u.test(path) || languages.some(({ entries }) => entries.test(path));
}

export function findExportChanges(files: readonly DiffFile[]): ExportChange[] {
  return files.flatMap((file) => {
    if (/(?:^|\/)package\.json$/u.test(file.previousPath)) return findManifestChanges(file);
    const language = languages.find(({ entries }) => entries.test(file.previousPath));
    if (language === undefined) return [];
    return compare(file.previousPath, readExports(file, language, '-'), readExports(file, language, '+'));
  });
}
