/**
 * Switches off the filters that a person has set up for git, such as Git LFS or git-crypt. A filter is a program, and
 * attributes in the files decide which file it gets. In the copies that agents work in, files and attributes come from
 * other authors, so no filter runs there: files have exactly the bytes of the commit.
 */
import { type Environment, makeGitEnvironment } from './git-environment.ts';
import { tryGit } from './run-git.ts';

/** Before all other attributes: no conversion of line ends, of characters or of `$Id$`, and no filter. */
export const asTheyAre = '* -text !eol -ident -filter !working-tree-encoding\n';

type Variables = Readonly<Record<string, string>>;

/** Without a program a filter does nothing, unless it says that it has to. */
const off = { clean: '', smudge: '', process: '', required: 'false' } as const;

/**
 * Variables for git in this folder that leave no filter with a program. Names are taken from the settings that count there,
 * wherever they stand; they are handed over in variables because a name may hold whatever would end a word of an option.
 */
export async function switchFiltersOff(
  folder: string,
  environment: Environment,
  variables: Variables = {},
): Promise<Variables> {
  const words = ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'];
  const { output } = await tryGit(folder, environment, words, { variables });
  const names = new Set(
    output.split('\0').flatMap((key) => /^filter\.([\s\S]*)\.[^.]+$/u.exec(key)?.[1] ?? []),
  );
  const first = Number(makeGitEnvironment(environment).GIT_CONFIG_COUNT ?? 0);
  const settings = [...names].flatMap((name) =>
    Object.entries(off).map(([key, value]) => [`filter.${name}.${key}`, value] as const),
  );
  return {
    ...variables,
    GIT_CONFIG_COUNT: String(first + settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${first + index}`, key],
        [`GIT_CONFIG_VALUE_${first + index}`, value],
      ]),
    ),
  };
}
