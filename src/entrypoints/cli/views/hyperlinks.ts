/**
 * Addresses of ours as links, where the terminal knows them (OSC 8). The text of a link is its whole address, or the
 * issue or pull request that the address names ("owner/name#7"), so that no text of others can lead elsewhere than it
 * says.
 */

const longest = 2_000;

/** Only what a browser opens, without a password, in visible characters. */
function isLinkable(url: string): boolean {
  if (url.length > longest || !/^https?:\/\/[!-~]+$/u.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** What people call the address of an issue or a pull request; null for another address. */
function nameOf(url: string): string | null {
  const [, repository, number] =
    /^https?:\/\/[^/]+\/([\w.-]+\/[\w.-]+)\/(?:issues|pull)\/([1-9]\d*)$/u.exec(url) ?? [];
  return repository === undefined ? null : `${repository}#${number}`;
}

export class Hyperlinks {
  /** What is shown as a link, and where it leads. */
  readonly #links = new Map<string, string>();

  /** Remembers an address that Gatewright itself got from its forge; returns it. */
  add(url: string): string {
    if (!isLinkable(url)) return url;
    this.#links.set(url, url);
    const name = nameOf(url);
    if (name !== null) this.#links.set(name, url);
    return url;
  }

  /** Also the bare number ("#7"), on a screen that is about one repository. */
  addNumber(url: string): void {
    const name = isLinkable(url) ? nameOf(url) : null;
    if (name !== null) this.#links.set(name.slice(name.indexOf('#')), url);
  }

  /** The text with every such address as a link. Give it text that is escaped already. */
  apply(text: string): string {
    return [...this.#links]
      .sort(([a], [b]) => b.length - a.length)
      .reduce(
        (done, [shown, url]) =>
          done
            .split(/(\u001B\]8;;[^\u001B]*\u001B\\[^\u001B]*\u001B\]8;;\u001B\\)/u)
            .map((part, index) => (index % 2 === 1 ? part : linkIn(part, shown, url)))
            .join(''),
        text,
      );
  }
}

/** A longer address or name is another one. */
function linkIn(text: string, shown: string, url: string): string {
  const exact = new RegExp(
    `(?<![\\w/.-])${shown.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')}(?![\\w/?#&=%-])`,
    'gu',
  );
  return text.replace(exact, () => `\u001B]8;;${url}\u001B\\${shown}\u001B]8;;\u001B\\`);
}
