/** Which texts of an environment variable are secrets, by its name and by the form of its value. */

/** A shorter text would be found by chance in any recording. */
const shortest = 8;

/** Words that say so wherever they stand in a name, also as a part of a word: `PGPASSWORD`, `GITHUBTOKENS`. */
const within = /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|APIKEY|CREDENTIAL/u;
/** Words that say so as a whole word, or at the end of one: `DB_PASS`, `PGPASS`, `MYSQL_PWD`. */
const atEnd = /(?:KEYS?|PASS|PWD|CREDS?|AUTH|DSN|JWT|BEARER|COOKIE)$/u;
/** A name that ends like this is about a secret: it holds where it is, or of which kind. */
const aboutOne: ReadonlySet<string> = new Set([
  ...[
    'TYPE',
    'METHOD',
    'MODE',
    'ALGORITHM',
    'ALG',
    'FILE',
    'PATH',
    'DIR',
    'FOLDER',
    'SOCK',
    'SOCKET',
    'HOST',
  ],
  ...['PORT', 'USER', 'USERNAME', 'NAME', 'ENABLED', 'PROVIDER', 'REGION', 'LENGTH', 'TTL', 'URL', 'URI'],
  ...['ENDPOINT', 'ISSUER', 'HELPER', 'COMMAND', 'CMD', 'ASKPASS', 'PROGRAM'],
]);
/** The working folder and the one before it. */
const folders: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);
/** Words of the language that only end like one. */
const otherWords: ReadonlySet<string> = new Set([
  'BYPASS',
  'COMPASS',
  'MONKEY',
  'TURKEY',
  'HOTKEY',
  'HOTKEYS',
]);

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z\d]+/u)
    .filter((word) => word !== '');
}

function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (folders.has(name.toUpperCase()) || aboutOne.has(words.at(-1) ?? '')) return false;
  return words.some((word) => within.test(word) || (atEnd.test(word) && !otherWords.has(word)));
}

const looksRandom = (text: string): boolean =>
  text.length >= 20 && /[a-z]/u.test(text) && /[A-Z]/u.test(text) && /\d/u.test(text);

/** A path without a part that could be a key: keys in base64 may begin with a slash. */
function isPlainPath(value: string): boolean {
  const form = /^(?:(?:~|\.{1,2})?(?:\/[\w.@ -]+)+\/?|[A-Za-z]:\\[\w.@ \\-]+)$/u;
  return form.test(value) && !value.split(/[/\\]/u).some(looksRandom);
}

const isFlag = (value: string): boolean => /^-{1,2}[a-z][a-z-]*(?:[= ][\w.,-]*)?$/u.test(value);

function decode(text: string): string[] {
  try {
    return [text, decodeURIComponent(text)];
  } catch {
    return [text];
  }
}

/** Passwords in an address or a connection string, no matter what the variable is called. */
function findInside(value: string): string[] {
  const addresses = [...value.matchAll(/\b[a-z][a-z\d+.-]*:\/\/([^\s/?#:@]*)(?::([^\s/?#]*))?@/giu)];
  const pairs = [
    ...value.matchAll(/(?<!\w)[\w-]{0,40}(?:password|passwd|pwd|token|secret|key|sig)\s?=\s?([^;&\s"']+)/giu),
  ];
  return [
    ...addresses.flatMap(([, user = '', password]) =>
      // Without a password, a long user name is a token, as in addresses of git and Sentry.
      password === undefined || password === 'x-oauth-basic' ? (user.length >= 16 ? [user] : []) : [password],
    ),
    ...pairs.map(([, one = '']) => one),
  ].flatMap(decode);
}

/** What stands in JSON under names of secrets; null when it is no JSON. */
function findInJson(value: string): string[] | null {
  if (!/^\s*[[{]/u.test(value)) return null;
  const found: string[] = [];
  const walk = (name: string, one: unknown): void => {
    if (typeof one === 'string') found.push(...secretsOfVariable(name, one));
    else if (typeof one === 'object' && one !== null)
      for (const [key, inner] of Object.entries(one)) walk(Array.isArray(one) ? name : key, inner);
  };
  try {
    walk('', JSON.parse(value));
    return found;
  } catch {
    return null;
  }
}

/** A key of several lines is recognised by each of its lines, because recordings keep texts line by line. */
export function linesOfSecret(secret: string): string[] {
  return secret
    .split(/\\n|\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('-----'));
}

export function secretsOfVariable(name: string, value: string): string[] {
  const inside = findInside(value);
  const whole = value.trim();
  const isOne = isSecretName(name) && !isPlainPath(whole) && !isFlag(whole);
  const lines = isOne ? linesOfSecret(whole) : [];
  const bare = lines.map((line) => line.replace(/^(?:Bearer|Basic|token)\s+/iu, ''));
  const all = [...lines, ...bare, ...inside, ...(findInJson(value) ?? [])];
  return [...new Set(all)].filter((one) => one.length >= shortest);
}
