/** What a script does with variables that hold the texts of others. A shell is not parsed: a line is looked at as text. */
import { isHarmlessText, longestLine, readsHead } from '../trust/script-output.ts';
import type { Scope, TrustReader } from '../trust/value-trust.ts';
import { canRun } from '../workflow/project.ts';
import { templateOf } from '../workflow/workflow.ts';
import type { Place, YamlScalar } from '../yaml/yaml-tree.ts';
import type { CheckContext } from './check.ts';

export interface ScriptLine {
  readonly text: string;
  /** Of the line in the script, from 0. */
  readonly index: number;
}

/** What an expression in a script is replaced by, so that the line can be read. */
const [valueWord, headWord] = ['__value__', '__head__'] as const;

/** Lines of a script; one that ends in a backslash goes on in the next. Comments are left out. */
export function scriptLines(run: YamlScalar, trust: TrustReader, scope: Scope): ScriptLine[] {
  const text = templateOf(run)
    .parts.map((part) => {
      if (typeof part === 'string') return part;
      return trust.ofEmbedded(part, scope).head === null ? valueWord : headWord;
    })
    .join('');
  const lines: ScriptLine[] = [];
  let [held, from] = ['', 0];
  for (const [index, line] of text.split('\n').entries()) {
    if (held === '') from = index;
    if (/\\\s*$/u.test(line)) {
      held += `${line.replace(/\\\s*$/u, '')} `;
      continue;
    }
    lines.push({ text: `${held}${line}`.slice(0, longestLine).replace(/(?:^|\s)#.*$/u, ''), index: from });
    held = '';
  }
  return held === '' ? lines : [...lines, { text: held.slice(0, longestLine), index: from }];
}

/** More than any script needs; they keep the time short that a hostile one takes. */
const mostRounds = 20;
const mostLocals = 100;

const assignment = /(?:^|[\s;&(])([A-Za-z_]\w*)=("[^"]*"|'[^']*'|\$\([^)]*\)|\S*)/gu;

/** Uses of a variable in a shell, PowerShell or a program: $NAME, ${NAME}, $env:NAME. */
function usesVariable(text: string, names: ReadonlySet<string>): string | null {
  for (const [, braced, plain] of text.matchAll(/\$(?:\{([A-Za-z_]\w*)|(?:env:)?([A-Za-z_]\w*))/giu)) {
    const name = braced ?? plain ?? '';
    if (names.has(name)) return name;
  }
  return null;
}

/** Variables of a script that hold such a text, with those that the script assigns it to. */
export function taintedNames(
  lines: readonly ScriptLine[],
  trust: TrustReader,
  scope: Scope,
  kind: 'strangers' | 'head',
): ReadonlySet<string> {
  const names = new Set(['GITHUB_HEAD_REF']);
  for (const { key, value } of trust.variables(scope))
    if (value.kind === 'scalar' && trust.ofTemplate(value, scope)[kind] !== null) names.add(key);
  // A value can go through several variables; each round finds at least one more.
  for (let [before, round] = [-1, 0]; before !== names.size && round < mostRounds; round += 1) {
    before = names.size;
    for (const { text } of lines)
      for (const [, name = '', value = ''] of text.matchAll(assignment)) {
        const isHead = value.includes(headWord) || (kind === 'head' && readsHead(value));
        if (isHead || usesVariable(value, names) !== null) names.add(name);
      }
  }
  return names;
}

/** Variables that a script sets, and to nothing but harmless values. */
function harmlessLocals(lines: readonly ScriptLine[]): string[] {
  const values = new Map<string, string[]>();
  for (const { text } of lines) {
    for (const [, name = '', value = ''] of text.matchAll(assignment))
      values.set(name, [...(values.get(name) ?? []), value.replaceAll(/["']/gu, '')]);
    // Set in another way than by an assignment.
    for (const [, name = ''] of text.matchAll(
      /\b(?:read|for|mapfile|printf\s+-v)\s+(?:-\w+\s+)*([A-Za-z_]\w*)/gu,
    ))
      values.set(name, ['$']);
  }
  const found = new Set<string>();
  if (values.size > mostLocals) return [];
  for (let [before, round] = [-1, 0]; before !== found.size && round < mostRounds; round += 1) {
    before = found.size;
    // A value that is made of the variable itself is as harmless as its others.
    for (const [name, given] of values)
      if (given.every((one) => isHarmlessText(one, [...found, name]))) found.add(name);
  }
  return [...found];
}

const evaluators = [
  /(?:^|[\s;&|(])eval\s+(.*)$/u,
  /\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+)*-\w*c\s+"(.*)$/u,
  /\b(?:python3?|node|perl|ruby)\s+-(?:c|e)\s+"(.*)$/u,
  /\b(?:Invoke-Expression|iex)\s+(.*)$/iu,
];

const runnerFile =
  /(.*?)(?:>>?|\|\s*tee\s+(?:-a|--append)?)\s*["']?\$\{?(?:env:)?(GITHUB_ENV|GITHUB_PATH)\b/iu;

/** Whether a command writes nothing but constants. Other commands than these write what they read. */
function writesConstants(command: string, locals: readonly string[]): boolean {
  const last = command.split(/[;&|]+|(?<!\$)\{/u).at(-1) ?? '';
  const [, text] = /^\s*(?:echo|printf|Write-Output)\s+(?:-\w+\s+)*(.*)$/iu.exec(last) ?? [];
  if (text === undefined) return false;
  return isHarmlessText(text.replaceAll(/["']|\\n/gu, '').replaceAll(valueWord, ''), locals);
}

/** Where that line of a script stands; a script on one line stands where it begins. */
export function placeOfLine(run: YamlScalar, key: Place, { index }: ScriptLine): Place {
  const isBlock = run.text.includes('\n');
  return isBlock ? { line: key.line + 1 + index, column: key.column } : run.at;
}

export function checkShellText(run: YamlScalar, key: Place, scope: Scope, context: CheckContext): void {
  const { trust, worlds, workflow } = context;
  const lines = scriptLines(run, trust, scope);
  const names = taintedNames(lines, trust, scope, 'strangers');
  const locals = harmlessLocals(lines);
  const isPrivileged = worlds.some(
    (world) => scope.job !== null && canRun(workflow, scope.job, scope.step, world),
  );
  for (const line of lines) {
    const at = placeOfLine(run, key, line);
    const read = evaluators.map((one) => one.exec(line.text)?.[1]).find((one) => one !== undefined);
    const name = read === undefined ? null : usesVariable(read, names);
    if (name !== null) context.report('untrusted-eval', at, name, key);
    if (/(?:^|[^\w])::(?:set-env|add-path)\b/u.test(line.text))
      context.report('unsecure-commands', at, '', key);
    if (/ACTIONS_ALLOW_UNSECURE_COMMANDS\s*[=:]\s*["']?true/iu.test(line.text))
      context.report('unsecure-commands', at, '', key);
    const [, content, file] = runnerFile.exec(line.text) ?? [];
    if (content === undefined || file === undefined) continue;
    const used = usesVariable(content, names);
    const isConstant = writesConstants(content, locals);
    if (used !== null || content.includes(headWord) || (isPrivileged && !isConstant))
      context.report('untrusted-runner-file', at, used === null ? file : `${used} in ${file}`, key);
  }
}

const gitTakes =
  /\bgit\b(?:\s+(?:-[cC]\s+\S+|-(?![cC]\s)[\w-]+(?:=\S+)?))*\s+(?:fetch|pull|checkout|switch|reset|merge|clone|worktree|restore|cherry-pick|rebase|remote)\b([^;&|]*)/gu;
const takesPull = [
  /\bgh\s+pr\s+(?:checkout|co)\b/u,
  /\bhub\s+(?:pr\s+checkout|am|apply|checkout)\b/u,
  /\bgh\s+pr\s+diff\b.*\|\s*(?:git\s+(?:apply|am)|patch)\b/u,
  /\.(?:patch|diff)\b.*\|\s*(?:git\s+(?:apply|am)|patch)\b/u,
  /\bgh\s+repo\s+(?:clone|sync)\b.*__head__/u,
];

/** The line of a script that takes the code of a pull request; null if none does. */
export function findHeadCommand(lines: readonly ScriptLine[], names: ReadonlySet<string>): ScriptLine | null {
  for (const line of lines) {
    if (takesPull.some((one) => one.test(line.text))) return line;
    for (const [, rest = ''] of line.text.matchAll(gitTakes))
      if (/\bpull\/|\/pull\b/u.test(rest) || rest.includes(headWord) || usesVariable(rest, names) !== null)
        return line;
  }
  return null;
}
