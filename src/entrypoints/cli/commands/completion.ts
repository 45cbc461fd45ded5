/** `completion`: scripts for three shells, made from the command table. */
import type { Handler } from '../table/command.ts';
import { commands, globalOptions } from '../table/table.ts';

/** What can follow a beginning of words: next words, options, and the values of a fixed argument. */
function continuations(): Map<string, string[]> {
  const map = new Map<string, Set<string>>();
  const add = (prefix: string, ...words: string[]): void => {
    const set = map.get(prefix) ?? new Set<string>();
    for (const word of words) set.add(word);
    map.set(prefix, set);
  };
  for (const command of commands) {
    const parts = command.name.split(' ');
    for (const [index, part] of parts.entries()) add(parts.slice(0, index).join(' '), part);
    add(command.name, ...(command.args ?? []).flatMap((argument) => argument.oneOf ?? []));
    add(command.name, ...[...(command.options ?? []), ...globalOptions].map((option) => `--${option.name}`));
  }
  add('', ...globalOptions.map((option) => `--${option.name}`));
  return new Map([...map].map(([prefix, words]) => [prefix, [...words]]));
}

/** Options that take a value: the word after one is no sub-command. */
function valued(): string[] {
  const options = [...globalOptions, ...commands.flatMap((command) => command.options ?? [])];
  const names = options
    .filter((option) => option.value !== undefined)
    .flatMap((option) => [`--${option.name}`, ...(option.short === undefined ? [] : [`-${option.short}`])]);
  return [...new Set(names)];
}

function bashScript(): string {
  const cases = [...continuations()].map(
    ([prefix, words]) => `    '${prefix}') words='${words.join(' ')}' ;;`,
  );
  return `# bash completion for gatewright
_gatewright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" prefix='' words='' word skip=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in ${valued().join('|')}) skip=1 ;; -*) ;; *) prefix="\${prefix:+$prefix }$word" ;; esac
  done
  case "$prefix" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  if [ -n "$words" ]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
  fi
  if [ \${#COMPREPLY[@]} -eq 0 ]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _gatewright gatewright
`;
}

function zshScript(): string {
  const cases = [...continuations()].map(
    ([prefix, words]) => `    '${prefix}') candidates=(${words.join(' ')}) ;;`,
  );
  return `#compdef gatewright
# zsh completion for gatewright
_gatewright() {
  local prefix='' word skip=''
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$skip" ]]; then skip=''; continue; fi
    case "$word" in ${valued().join('|')}) skip=1 ;; -*) ;; *) prefix="\${prefix:+$prefix }$word" ;; esac
  done
  case "$prefix" in
${cases.join('\n')}
  esac
  compadd -- $candidates
  _files
}
compdef _gatewright gatewright
`;
}

function fishScript(): string {
  const lines = [...continuations()].flatMap(([prefix, words]) =>
    words.map((word) => `complete -c gatewright -n '__gatewright_at "${prefix}"' -a '${word}'`),
  );
  return `# fish completion for gatewright
function __gatewright_at
  set -l given
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- $word ${valued().join(' ')}
      set skip 1
    else if not string match -q -- '-*' $word
      set -a given $word
    end
  end
  test (string join ' ' -- $given) = "$argv[1]"
end
${lines.join('\n')}
`;
}

export const printCompletion: Handler = async (app, given) => {
  const shell = given.args[0];
  app.terminal.printExactly(
    (shell === 'zsh' ? zshScript() : shell === 'fish' ? fishScript() : bashScript()).trimEnd(),
  );
  return 0;
};
