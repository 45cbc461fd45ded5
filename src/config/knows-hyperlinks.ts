/** Whether the terminal shows links (OSC 8). Terminals do not answer that question, so only those that are known to do count. */

type Environment = Readonly<Record<string, string | undefined>>;

const programs: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'rio']);
const terminals: ReadonlySet<string> = new Set([
  'xterm-kitty',
  'xterm-ghostty',
  'alacritty',
  'foot',
  'contour',
]);

export function knowsHyperlinks(environment: Environment): boolean {
  const forced = environment.FORCE_HYPERLINK ?? '';
  if (forced !== '') return forced !== '0';
  if (environment.TERM === 'dumb' || (environment.CI ?? '') !== '') return false;
  return (
    programs.has(environment.TERM_PROGRAM ?? '') ||
    terminals.has(environment.TERM ?? '') ||
    (environment.WT_SESSION ?? '') !== '' ||
    Number(environment.VTE_VERSION ?? 0) >= 5_000 ||
    Number(environment.KONSOLE_VERSION ?? 0) >= 201_200
  );
}
