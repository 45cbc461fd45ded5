/** The files through which a step speaks to the runner: outputs, variables, paths, the summary. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const kinds = {
  GITHUB_OUTPUT: 'set_output',
  GITHUB_ENV: 'set_env',
  GITHUB_PATH: 'add_path',
  GITHUB_STATE: 'save_state',
  GITHUB_STEP_SUMMARY: 'step_summary',
} as const;

/** A summary that is longer is not shown at all. */
const longestSummary = 1024 * 1024;

export interface StepFiles {
  readonly outputs: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  readonly summary: string;
}

/** `NAME=value`, or `NAME<<END`, lines and `END`. */
export function readPairs(text: string): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  const lines = text.replace(/\n$/u, '').split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    const [equals, heredoc] = [line.indexOf('='), line.indexOf('<<')];
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      pairs[line.slice(0, equals)] = line.slice(equals + 1);
    } else if (heredoc > 0) {
      const [name, end] = [line.slice(0, heredoc), line.slice(heredoc + 2)];
      const last = lines.indexOf(end, at + 1);
      if (end === '' || last === -1) throw new Error(`Invalid value. Matching delimiter not found '${end}'`);
      pairs[name] = lines.slice(at + 1, last).join('\n');
      at = last;
    } else throw new Error(`Invalid format '${line}'`);
  }
  return pairs;
}

/** Makes them for one step, empty; what the step left there is read once. */
export function makeCommandFiles(
  folder: string,
  id: string,
): { readonly environment: Record<string, string>; readonly read: () => StepFiles } {
  mkdirSync(folder, { recursive: true });
  const environment = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, join(folder, `${kind}_${id}`)]),
  );
  for (const path of Object.values(environment)) writeFileSync(path, '');
  const textOf = (name: keyof typeof kinds): string => {
    const path = environment[name] ?? '';
    return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
  };
  return {
    environment,
    read: () => {
      const variables = readPairs(textOf('GITHUB_ENV'));
      for (const name of Object.keys(variables)) {
        if (name.toUpperCase() === 'NODE_OPTIONS')
          throw new Error("Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.");
        if (/^(?:GITHUB|RUNNER)_/iu.test(name)) delete variables[name];
      }
      const summary = textOf('GITHUB_STEP_SUMMARY');
      if (Buffer.byteLength(summary) > longestSummary)
        throw new Error('$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k');
      return {
        outputs: readPairs(textOf('GITHUB_OUTPUT')),
        variables,
        paths: textOf('GITHUB_PATH').split('\n').filter(Boolean),
        summary,
      };
    },
  };
}
