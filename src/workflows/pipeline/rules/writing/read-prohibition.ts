/**
 * Reads a sentence of `must_not_do` as far as a rule can judge it: paths that may not change, dependencies, the public
 * interface, tests. The grammar is narrow: a sentence with anything else in it is not read, and the reviewer judges it.
 */
import { foldLetters } from '../../../../domain/drafts/fold-words.ts';
import { isFilePath } from '../../../rules/is-file-path.ts';

/** What may not happen to a file. */
export type FileDeed = 'change' | 'remove' | 'rename' | 'add';

export type Prohibition =
  /** `paths` is empty when any file is meant. A folder ends with a slash. */
  | { readonly kind: 'paths'; readonly deeds: readonly FileDeed[]; readonly paths: readonly string[] }
  | { readonly kind: 'dependencies'; readonly onlyNew: boolean }
  | { readonly kind: 'public-api' }
  | { readonly kind: 'tests'; readonly deed: 'remove' | 'skip' | 'weaken' | 'change' };

const longest = 500;

/** Turns round or limits what stands before it. */
const limits =
  /\b(?:except|unless|other than|apart from|but|only|without|beyond|more than|besides|if|until|instead|as well as|rather)\b/u;

const negation =
  "(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|may not|cannot|can't|avoid)";
const verbs: Readonly<Record<string, FileDeed>> = {
  ...{
    touch: 'change',
    modify: 'change',
    change: 'change',
    edit: 'change',
    alter: 'change',
    update: 'change',
  },
  ...{ touching: 'change', modifying: 'change', changing: 'change', editing: 'change', altering: 'change' },
  ...{ updating: 'change', delete: 'remove', remove: 'remove', deleting: 'remove', removing: 'remove' },
  ...{ rename: 'rename', move: 'rename', renaming: 'rename', moving: 'rename' },
};
const verb = `(?:${Object.keys(verbs).join('|')})`;
const verbsForm = `${verb}(?:(?:,? (?:or|and) |, )${verb})*`;
/** Words between the verb and what it is about that say no more about it. */
const filler =
  '(?:(?:the|any|anything|any of|all|existing|files?|code|contents?|folders?|director(?:y|ies)|modules?|everything|in|inside|under|below|within|of) )*';

/** How the sentence may begin; the last group is what it is about. */
const forms: readonly { readonly form: RegExp; readonly deedsOf: (said: string) => FileDeed[] }[] = [
  {
    form: new RegExp(`^(?:please )?(?:${negation} )?(${verbsForm}) (.*)$`, 'u'),
    deedsOf: (said) => said.split(/[ ,]+/u).flatMap((word) => verbs[word] ?? []),
  },
  {
    form: /^no (changes?|modifications?|edits?)(?: may be made| are allowed)? (?:to|in|of|at) (.*)$/u,
    deedsOf: () => ['change'],
  },
  {
    form: /^(leave|keep) (.*) (?:alone|untouched|unchanged|as is|as it is|as they are)$/u,
    deedsOf: () => ['change'],
  },
];

const newFiles = new RegExp(
  `^(?:please )?(?:(?:${negation} )?(?:add|create|adding|creating) |no )(?:any )?(?:new )?files(?: (?:to|in|inside|under|below) (.*))?$`,
  'u',
);

const dependency =
  '(?:(?:npm|node|python|runtime|dev|development|external|third[- ]party|3rd[- ]party|package|project) )*(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))';
const fresh = '(?:(?:a|an|any|new|additional|extra|further|more|other|another) )*';
const newDependencies = new RegExp(
  `^(?:please )?(?:(?:${negation} )?(?:add|introduce|install|pull in|bring in|adding|introducing|installing) ${fresh}${dependency}|no (?:(?:new|additional|extra|further|more|other) )+${dependency}|no (?:external|third[- ]party|3rd[- ]party) ${dependency})$`,
  'u',
);
const anyDependencies = new RegExp(
  `^(?:please )?(?:(?:${negation} )?(?:(?:change|modify|touch|update|upgrade|bump|alter|edit) )(?:(?:the|any|existing|project's) )*${dependency}|no (?:changes to (?:the )?)?${dependency}(?: changes| updates)?|no changes to (?:the )?${dependency})$`,
  'u',
);

const apiWords =
  "(?:(?:the|any|existing|our|package's|module's|library's) )*(?:public (?:api|apis|interface|exports?|surface)|exports|exported (?:api|names|functions|types|symbols|interface))";
const api = new RegExp(
  `^(?:please )?(?:(?:${negation} )?(?:change|modify|alter|break|touch|remove|rename|changing|breaking|removing) ${apiWords}|no (?:breaking )?changes (?:to|in|of) ${apiWords}|(?:keep|leave) ${apiWords} (?:unchanged|stable|untouched|as is|alone|as it is))$`,
  'u',
);

const testWords =
  '(?:(?:the|any|existing|passing|failing|other|old|unit|our) )*tests?(?: (?:cases?|files?|suites?))?';
const tests = new RegExp(
  `^(?:please )?(?:${negation} )?(delete|remove|skip|disable|weaken|loosen|change|modify|touch|edit|alter|deleting|removing|skipping|disabling|weakening|changing|modifying)(?: (?:or|and) (?:delete|remove|skip|disable|weaken|change|modify|edit))? ${testWords}$`,
  'u',
);
const testDeeds = [
  [/^(?:delet|remov)/u, 'remove'],
  [/^(?:skip|disabl)/u, 'skip'],
  [/^(?:weaken|loosen)/u, 'weaken'],
  [/^/u, 'change'],
] as const;

interface Clause {
  /** Small letters, without quotes and the end of the sentence. */
  readonly words: string;
  /** The words as they are written; as many as in `words`. */
  readonly written: readonly string[];
}

/** A reason behind the prohibition changes nothing about it. */
const reason =
  /(?:,? (?:because|since|as (?:it|they|this|that|these)\b)|,? which |,? they |,? it |,? this | \(| [–—-] |: ).*$/u;

function readClause(text: string): Clause | null {
  const plain = text.replace(/\s+/gu, ' ').trim();
  if (plain.length > longest) return null;
  const folded = plain.toLowerCase().replace(/[’‘]/gu, "'");
  const kept = plain.slice(0, folded.replace(reason, '').length);
  const written = kept
    .replace(/[.!]+$/u, '')
    .split(' ')
    .map((word) => word.replace(/^["'`“(]+|["'`”),]+$/gu, (mark) => (mark.endsWith(',') ? ',' : '')));
  const words = foldLetters(written.join(' '));
  return limits.test(foldLetters(plain)) ? null : { words, written };
}

/** The paths in a list such as "src/a.ts, src/b/ and c.json"; null when anything else stands in it. */
function readPaths(object: string, written: readonly string[]): string[] | null {
  const rest = object.replace(new RegExp(`^${filler}`, 'u'), '').split(' ');
  const own = written.slice(-rest.length);
  const paths: string[] = [];
  for (const word of own) {
    const path = word.replace(/,$/u, '');
    if (isFilePath(path)) paths.push(path.replace(/^(?:\.\/)+/u, '').replace(/(?<=\/)\*+(?:\/\*+)?$/u, ''));
    else if (!/^(?:and|or|the|file|files|folder|directory|module|in|,)?$/iu.test(path)) return null;
  }
  // A star in another place is a pattern, and no rule here reads patterns.
  return paths.length === 0 || paths.some((path) => path.includes('*')) ? null : paths;
}

function readPathClause({ words, written }: Clause): Prohibition | null {
  const added = newFiles.exec(words);
  if (added !== null) {
    const paths = added[1] === undefined ? [] : readPaths(added[1], written);
    return paths === null ? null : { kind: 'paths', deeds: ['add'], paths };
  }
  for (const { form, deedsOf } of forms) {
    const [, said, object] = form.exec(words) ?? [];
    if (said === undefined || object === undefined) continue;
    const isKept = said === 'leave' || said === 'keep';
    const at = isKept ? words.split(' ').length - 1 - object.split(' ').length : 0;
    const own = isKept ? written.slice(1, written.length - at) : written;
    const paths = readPaths(object, own);
    if (paths !== null) return { kind: 'paths', deeds: deedsOf(said), paths };
  }
  return null;
}

function readOne(clause: Clause): Prohibition | null {
  const { words } = clause;
  if (newDependencies.test(words)) return { kind: 'dependencies', onlyNew: true };
  if (anyDependencies.test(words)) return { kind: 'dependencies', onlyNew: false };
  if (api.test(words)) return { kind: 'public-api' };
  const [, deed] = tests.exec(words) ?? [];
  if (deed !== undefined)
    return { kind: 'tests', deed: testDeeds.find(([form]) => form.test(deed))?.[1] ?? 'change' };
  return readPathClause(clause);
}

/** What a sentence forbids, one entry for each of its parts; null when a part of it cannot be read. */
export function readProhibitions(sentence: string): readonly Prohibition[] | null {
  const parts = sentence
    .slice(0, longest * 4)
    .split(/[;\n]|\.(?=\s)|,? and (?=(?:do not|don[’']t|never|no|must not|avoid) )/iu)
    .filter((part) => part.trim() !== '');
  const read = parts.map((part) => {
    const clause = readClause(part);
    return clause === null ? null : readOne(clause);
  });
  return read.length === 0 || read.includes(null) ? null : read.filter((one) => one !== null);
}

/** Whether a path of the repository is one that a sentence names, or is in a folder that it names. */
export function isMeant(path: string, named: string): boolean {
  if (named.endsWith('/')) return path.startsWith(named);
  // A name without a folder means the file of that name, wherever it is.
  if (!named.includes('/')) return path === named || path.endsWith(`/${named}`);
  return path === named || path.startsWith(`${named}/`);
}
