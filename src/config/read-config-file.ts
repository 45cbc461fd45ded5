/** Reads one configuration file: safely, whole, with every problem it has and the line of each. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { nearestWord } from '../domain/text/nearest-word.ts';
import { escapeForLine } from '../domain/text/untrusted-text.ts';
import { GatewrightError, systemErrorCode } from '../errors.ts';
import { configSchema } from './config-schema.ts';
import { waysToSet } from './judge-settings.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';
import type { Given, Layer, SettingValue } from './resolve-settings.ts';
import { fileSettings, findRule, keysBelow, type SettingRule } from './setting-rules.ts';

export interface ConfigProblem {
  /** The setting, such as `models.reviewer`; empty when it is the file as such. */
  readonly key: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ConfigFile {
  readonly file: string;
  readonly exists: boolean;
  readonly layer: Layer;
  readonly problems: readonly ConfigProblem[];
}

const largest = 256 * 1024;

type WholeFileProblem = { readonly problem: string };

/**
 * The text; null when there is no file. The file of a repository may not be a link: with a link, its author could make
 * us read, and show in a message, a file of this machine whose path they only guess. The user's own file may be a link,
 * but no other user may have write permission on it.
 */
function readSafely(file: string, isOwn: boolean): string | null | WholeFileProblem {
  let descriptor: number;
  try {
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | (isOwn ? 0 : constants.O_NOFOLLOW);
    descriptor = openSync(file, flags);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { problem: code === 'ELOOP' ? 'is a link; it has to be a file' : `cannot be read (${code})` };
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return { problem: 'is no file' };
    if (facts.size > largest) return { problem: `is larger than ${largest / 1024} KiB` };
    if (isOwn && process.platform !== 'win32' && (facts.mode & 0o022) !== 0)
      return { problem: `can be changed by other users; close it to them with: chmod go-w ${file}` };
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    return { problem: `cannot be read (${systemErrorCode(error)})` };
  } finally {
    closeSync(descriptor);
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** What to say about a key that the file does not know. */
function explainUnknownKey(path: string, name: string, userFile: string): string {
  const rule = findRule(path === '' ? name : `${path}.${name}`);
  if (rule !== undefined) return `this cannot be set in a file; set it ${waysToSet(rule, userFile)}`;
  const known = keysBelow(path);
  const guess = nearestWord(name, known);
  const hint =
    guess === null
      ? known.length === 0
        ? ''
        : `; known here: ${known.join(', ')}`
      : `; did you mean "${guess}"?`;
  return `there is no such setting${hint}`;
}

function explainIssue(issue: z.core.$ZodIssue, json: ParsedJson, userFile: string): ConfigProblem[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys')
    return [{ key: path.join('.'), ...json.placeOf(path), message: issue.message }];
  return issue.keys.map((name) => ({
    key: escapeForLine([...path, name].join('.'), 100),
    ...json.placeOf([...path, name]),
    message: explainUnknownKey(path.join('.'), name, userFile),
  }));
}

type Judge = (rule: SettingRule, value: unknown) => string | null;

/** Reads a file; `judge` says for each setting in it why this file may not set it. */
export function readConfigFile(
  file: string,
  options: { readonly isOwn: boolean; readonly userFile: string; readonly judge: Judge },
): ConfigFile {
  const text = readSafely(file, options.isOwn);
  if (text === null) return { file, exists: false, layer: new Map(), problems: [] };
  if (typeof text !== 'string') {
    const problem = { key: '', line: 1, column: 1, message: text.problem };
    return { file, exists: true, layer: new Map(), problems: [problem] };
  }
  const json = parseJson(text);
  const problems: ConfigProblem[] = json.problems.map((problem) => ({ key: '', ...problem }));
  const layer = new Map<string, Given>();
  if (json.value !== undefined) {
    const parsed = configSchema().safeParse(json.value);
    if (!parsed.success)
      problems.push(...parsed.error.issues.flatMap((issue) => explainIssue(issue, json, options.userFile)));
    for (const rule of fileSettings) {
      const path = rule.key.split('.');
      const value = valueAt(json.value, path);
      if (value === undefined) continue;
      const place = json.placeOf(path);
      const refusal = options.judge(rule, value);
      if (refusal !== null) problems.push({ key: rule.key, ...place, message: refusal });
      if (parsed.success)
        layer.set(rule.key, { value: value as SettingValue, where: `${file}:${place.line}` });
    }
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { file, exists: true, layer, problems };
}

/** All problems of all files as one error; does nothing when there are none. */
export function refuseProblems(files: readonly ConfigFile[]): void {
  const details = files.flatMap(({ file, problems }) => problems.map((one) => describeProblem(file, one)));
  if (details.length === 0) return;
  throw new GatewrightError(
    'config-invalid',
    details.length === 1
      ? 'The configuration has a problem.'
      : `The configuration has ${details.length} problems.`,
    {
      details,
      hint: 'Correct the lines named above; gatewright config validate checks again.',
    },
  );
}

export function describeProblem(file: string, problem: ConfigProblem): string {
  const key = problem.key === '' ? '' : `${problem.key}: `;
  return `${file}:${problem.line}:${problem.column}: ${key}${problem.message}`;
}
