/** What the command of an editor says about the editor. */

/** Editors that open a window and return at once, with the options that make them wait; the first is the one to name. */
const windowEditors: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      'code',
      'code-insiders',
      'codium',
      'vscodium',
      'cursor',
      'windsurf',
      'subl',
      'zed',
      'atom',
      'mate',
      'gedit',
      'bbedit',
    ].map((name) => [name, ['--wait', '-w']]),
  ),
  ...Object.fromEntries(['idea', 'webstorm', 'pycharm', 'goland', 'rider'].map((name) => [name, ['--wait']])),
  gvim: ['--nofork', '-f'],
  mvim: ['--nofork', '-f'],
  kate: ['--block', '-b'],
  'gnome-text-editor': ['--standalone', '-s'],
};

/** The program that a command starts, as it is written there. */
export function programOfCommand(command: string): string {
  const match = /^\s*(?:"([^"]+)"|'([^']+)'|(\S+))/u.exec(command);
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
}

/** The option without which the editor would not wait; null when it waits, as far as we know. */
export function missingWaitOption(command: string): string | null {
  const name = programOfCommand(command).split(/[\\/]/u).at(-1) ?? '';
  const options = Object.hasOwn(windowEditors, name) ? windowEditors[name] : undefined;
  if (options === undefined) return null;
  const words = command.trim().split(/\s+/u);
  return options.some((option) => words.includes(option)) ? null : (options[0] ?? null);
}
