/** The log of a job: secrets masked, commands in it obeyed as far as GitHub's runner obeys them. */

export interface Annotation {
  readonly level: 'notice' | 'warning' | 'error';
  readonly message: string;
  readonly properties: Readonly<Record<string, string>>;
}

const unescapeData = (text: string): string =>
  text.replace(/%0D/gu, '\r').replace(/%0A/gu, '\n').replace(/%25/gu, '%');
const unescapeProperty = (text: string): string =>
  unescapeData(text.replace(/%3A/gu, ':').replace(/%2C/gu, ','));

const levels = ['notice', 'warning', 'error'] as const;
/** Obeyed without a trace here: folding and hints for people. */
const quiet = ['debug', 'group', 'endgroup', 'echo', 'add-matcher', 'remove-matcher'];

const command = /^[\s\u0085]*::([\w-]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)$/u;
/** As older runners wrote it. It counts anywhere in a line, and only with a name that the runner knows. */
const oldCommand = /##\[([\w-]+)(?: ([^\]]*))?\](.*)$/u;
const known: ReadonlySet<string> = new Set([...levels, ...quiet, 'add-mask', 'stop-commands', 'set-output']);

interface Command {
  readonly name: string;
  /** Pairs, with commas between them. */
  readonly given: string;
  readonly message: string;
}

/** What a runner obeys in a line; null where it is only words. */
export function readCommand(line: string): Command | null {
  const [, name, given = '', message = ''] = command.exec(line) ?? [];
  if (name !== undefined) return { name: name.toLowerCase(), given, message: unescapeData(message) };
  const [, old = '', pairs = '', rest = ''] = oldCommand.exec(line) ?? [];
  if (!known.has(old.toLowerCase())) return null;
  return { name: old.toLowerCase(), given: pairs.replaceAll(';', ','), message: rest };
}

/** What GitHub masks with a secret: its lines, and the forms in which programs print it. */
function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/u).filter((line) => line.trim() !== '');
  return [secret, ...lines].flatMap((one) => [
    one,
    JSON.stringify(one).slice(1, -1),
    encodeURIComponent(one),
    ...[0, 1, 2].map((skip) =>
      Buffer.from(one.slice(skip))
        .toString('base64')
        .replace(/={0,2}$/u, ''),
    ),
  ]);
}

export class JobLog {
  readonly annotations: Annotation[] = [];
  /** Commands that no runner knows, or that none obeys any more. */
  readonly unknown: string[] = [];
  readonly #masks = new Set<string>();
  readonly #lines: string[] = [];
  #stoppedUntil: string | null = null;

  mask(secret: string): void {
    if (secret.trim() === '') return;
    for (const form of formsOf(secret)) if (form.length > 3) this.#masks.add(form);
    this.#masks.add(secret);
  }

  hide(text: string): string {
    const longestFirst = [...this.#masks].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((hidden, mask) => hidden.replaceAll(mask, '***'), text);
  }

  holdsSecret(text: string): boolean {
    return [...this.#masks].some((mask) => text.includes(mask));
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** Lines from `from` on, for one step. */
  since(from: number): string {
    return this.#lines
      .slice(from)
      .map((line) => `${line}\n`)
      .join('');
  }

  get length(): number {
    return this.#lines.length;
  }

  add(line: string): void {
    const found = readCommand(line);
    if (this.#stoppedUntil !== null) {
      if (found?.name === this.#stoppedUntil.toLowerCase()) this.#stoppedUntil = null;
    } else if (found !== null) this.#obey(found);
    this.#lines.push(this.hide(line));
  }

  #obey({ name, given, message }: Command): void {
    const level = levels.find((one) => one === name);
    if (level !== undefined) {
      const pairs = given
        .split(',')
        .map((part) => part.trim().split('='))
        .filter(([key]) => key !== '')
        .map(([key = '', ...rest]) => [key, unescapeProperty(rest.join('='))] as const);
      const properties = Object.fromEntries(pairs.map(([key, value]) => [key, this.hide(value)]));
      this.annotations.push({ level, message: this.hide(message), properties });
    } else if (name === 'add-mask') this.mask(message);
    else if (name === 'stop-commands') this.#stoppedUntil = message;
    else if (!quiet.includes(name)) this.unknown.push(name);
  }
}
