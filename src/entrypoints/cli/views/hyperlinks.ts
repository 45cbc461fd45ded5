/**
 * Addresses of ours as links, where the terminal knows them (OSC 8). The text of a link is always its whole address, so
 * that no text of others can lead elsewhere than it says.
 */

const longest = 2_000;

/** Only what a browser opens, without a password, in visible characters. */
function isLinkable(url: string): boolean {
  if (url.length > longest || !/^https?:\/\/[!-~]+$/u.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

export class Hyperlinks {
  readonly #urls = new Set<string>();

  /** Remembers an address that Gatewright itself got from its forge; returns it. */
  add(url: string): string {
    if (isLinkable(url)) this.#urls.add(url);
    return url;
  }

  /** The text with every such address as a link. Give it text that is escaped already. */
  apply(text: string): string {
    return [...this.#urls]
      .sort((a, b) => b.length - a.length)
      .reduce(
        (done, url) =>
          done
            .split(/(\u001B\]8;;[^\u001B]*\u001B\\[^\u001B]*\u001B\]8;;\u001B\\)/u)
            .map((part, index) => (index % 2 === 1 ? part : linkIn(part, url)))
            .join(''),
        text,
      );
  }
}

/** A longer address that begins the same is another one. */
function linkIn(text: string, url: string): string {
  const exact = new RegExp(`${url.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')}(?![\\w/?#&=%-])`, 'gu');
  return text.replace(exact, () => `\u001B]8;;${url}\u001B\\${url}\u001B]8;;\u001B\\`);
}
