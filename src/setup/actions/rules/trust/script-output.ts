/** What can be told of a script without running it: which outputs are constant, and whether it reads a stranger's text. */

/** Values that the runner sets and whose form is harmless. */
const harmlessVariables = [
  ...['GITHUB_SHA', 'GITHUB_RUN_ID', 'GITHUB_RUN_NUMBER', 'GITHUB_RUN_ATTEMPT', 'GITHUB_REPOSITORY'],
  ...['GITHUB_REPOSITORY_OWNER', 'GITHUB_REPOSITORY_ID', 'GITHUB_WORKSPACE', 'GITHUB_SERVER_URL'],
  ...['GITHUB_API_URL', 'GITHUB_ACTOR', 'GITHUB_ACTION_PATH', 'GITHUB_EVENT_NAME', 'GITHUB_JOB'],
  ...['RUNNER_TEMP', 'RUNNER_OS', 'RUNNER_ARCH', 'RUNNER_TOOL_CACHE', 'HOME', 'PATH', 'PWD', 'USER'],
];

const harmlessCommands = [
  String.raw`date(?: -u)?(?: ['"]?\+[\w%:. -]*['"]?)?`,
  'git rev-parse(?: --short(?:=\\d+)?)? HEAD',
  ...['pwd', 'nproc', 'uname -[ms]'],
];

function partsWith(names: readonly string[]): RegExp {
  const named = names.join('|');
  return new RegExp(
    [
      String.raw`[\w./:@+,=~ -]`,
      String.raw`\$(?:${named})\b`,
      // With a part of it, or a beginning or an end taken away.
      String.raw`\$\{(?:${named})(?::{1,2}\d+(?::\d+)?|[#%]{1,2}[\w./:*-]*)?\}`,
      String.raw`\$\((?:${harmlessCommands.join('|')})\)`,
    ].join('|'),
    'gu',
  );
}

const harmlessPart = partsWith(harmlessVariables);

/** Whether a text of a shell script comes to nothing but harmless characters. */
export function isHarmlessText(text: string, locals: readonly string[] = []): boolean {
  const part = locals.length === 0 ? harmlessPart : partsWith([...harmlessVariables, ...locals]);
  return text.replaceAll(part, '') === '';
}

/** One write of `NAME=value`; the value ends at a quote, a redirection or the end of the line. */
function writesOf(script: string, name: string): string[] {
  const escaped = name.replaceAll(/[^\w-]/gu, '');
  return [...script.matchAll(new RegExp(String.raw`(?<![\w-])${escaped}=([^"'\n>|;&]*)`, 'giu'))].map(
    ([, value = '']) => value.trim(),
  );
}

const plainWrite = /\b(?:echo|printf)\b[^|]*>>\s*"?\$\{?GITHUB_OUTPUT/u;

/** Whether all that a script can write to that output stands in the script. */
export function constantOutput(script: string, output: string): boolean {
  const writing = script.split('\n').filter((line) => line.includes('GITHUB_OUTPUT'));
  if (output === '*' || writing.length === 0 || !writing.every((line) => plainWrite.test(line))) return false;
  const lines = script.split('\n').filter((line) => line.toLowerCase().includes(output));
  const writes = writesOf(script, output);
  const isHeredoc = lines.some((line) => line.toLowerCase().includes(`${output}<<`));
  return writes.length > 0 && !isHeredoc && writes.every((value) => isHarmlessText(value));
}

/** Fields of `gh … --json` that are a number, a hash, a word of GitHub or an address. */
const plainFields =
  'number|id|state|url|headRefOid|baseRefOid|isDraft|mergeable|mergeStateStatus|isCrossRepository';

const readers: readonly (readonly [RegExp, string])[] = [
  [/\bGITHUB_HEAD_REF\b/u, 'GITHUB_HEAD_REF'],
  [
    /\.(?:title|body|ref|label|message|name|email|head_branch|display_title)\b.*\bGITHUB_EVENT_PATH\b/u,
    'GITHUB_EVENT_PATH',
  ],
  [
    new RegExp(
      String.raw`\bgh (?:pr|issue) (?:view|list)\b(?!.*--json[ =]["']?(?:(?:${plainFields})\b,?)+(?:["']|\s|$))`,
      'u',
    ),
    'gh',
  ],
];

/** Of a line that is longer, only so much is looked at: expressions take long for long lines. */
export const longestLine = 10_000;

/** With lines that go on in the next one put together. */
function joined(script: string): string {
  const lines = script.replaceAll(/\\\r?\n/gu, ' ').split('\n');
  return lines.map((line) => line.slice(0, longestLine)).join('\n');
}

/** The name of what a script reads from a stranger by itself; null if it reads nothing that we know of. */
export function readsStrangersText(script: string): string | null {
  const text = joined(script);
  return readers.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

const head = /\bGITHUB_HEAD_REF\b|\bheadRef(?:Name|Oid)\b|\.head\.(?:sha|ref)\b|\bhead_(?:sha|ref|branch)\b/u;

/** Whether a script reads by itself which commit or branch a pull request has. */
export function readsHead(script: string): boolean {
  return head.test(joined(script));
}

/** What a script of `actions/github-script` gives an output, as text; null if it cannot be seen. */
export function setOutputOf(script: string, output: string): string | null {
  const values = joined(script)
    .split('\n')
    .map((line) => /\bsetOutput\(\s*["'`]([\w-]+)["'`]\s*,(.*)$/u.exec(line))
    .filter((found) => found?.[1]?.toLowerCase() === output)
    .map((found) => found?.[2] ?? '');
  return values.length === 0 ? null : values.join('\n');
}
