/** Where documentation speaks of files, links, headings and commands that are not there. Found by code, not by a model. */
import type { Nodes } from 'mdast';
import { parseMarkdown, plainText } from '../../../domain/text/markdown.ts';
import { nearestWords } from '../../../domain/text/nearest-word.ts';

export interface DriftItem {
  readonly document: string;
  readonly line: number;
  readonly kind: 'path' | 'link' | 'anchor' | 'script' | 'target';
  /** What the document says. */
  readonly text: string;
  /** What may be meant; empty when nothing is near. */
  readonly meant: readonly string[];
}

export interface DriftFacts {
  readonly documents: readonly { readonly path: string; readonly text: string }[];
  readonly files: readonly string[];
  /** Names of the package's scripts; null when there is no package.json. */
  readonly scripts: readonly string[] | null;
  /** Targets of the Makefile; null when there is none. */
  readonly targets: readonly string[] | null;
}

const shells = ['sh', 'bash', 'shell', 'console', 'zsh', ''];

/** As GitHub makes them: lower case, spaces to hyphens, other signs dropped, doubles numbered. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  walk(parseMarkdown(text), (node) => {
    if (node.type === 'html') {
      for (const match of node.value.matchAll(/\b(?:id|name)="([^"]{1,100})"/gu)) anchors.add(match[1] ?? '');
    }
    if (node.type !== 'heading') return;
    const anchor = plainText(node)
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/gu, '-');
    const seen = counts.get(anchor) ?? 0;
    counts.set(anchor, seen + 1);
    anchors.add(seen === 0 ? anchor : `${anchor}-${seen}`);
  });
  return anchors;
}

function walk(root: Nodes, visit: (node: Nodes) => void): void {
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visit(node);
    if ('children' in node) waiting.push(...([...node.children].reverse() as Nodes[]));
  }
}

/** The path that a link in a document leads to; null when it leaves the repository. */
function resolvePath(document: string, target: string): string | null {
  const parts = target.startsWith('/') ? [] : document.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

class Drift {
  readonly found: DriftItem[] = [];
  readonly #facts: DriftFacts;
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set(['']);
  readonly #tops: ReadonlySet<string>;
  readonly #anchors = new Map<string, Set<string>>();

  constructor(facts: DriftFacts) {
    this.#facts = facts;
    this.#files = new Set(facts.files);
    for (const file of facts.files) {
      const parts = file.split('/').slice(0, -1);
      for (let end = 1; end <= parts.length; end += 1) this.#folders.add(parts.slice(0, end).join('/'));
    }
    this.#tops = new Set(
      facts.files.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''),
    );
  }

  #isThere(path: string): boolean {
    const bare = path.replace(/\/+$/u, '');
    return this.#files.has(bare) || this.#folders.has(bare);
  }

  #near(path: string): string[] {
    const name = path.split('/').at(-1);
    const same = this.#facts.files.filter((file) => file.split('/').at(-1) === name);
    return [...new Set([...same, ...nearestWords(path, this.#facts.files, 3)])].slice(0, 3);
  }

  checkLink(document: string, line: number, url: string): void {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//iu.test(url)) return;
    const [address = '', anchor] = url.split('#');
    const path = address === '' ? document : resolvePath(document, decode(address.split('?')[0] ?? ''));
    if (path === null) return;
    if (!this.#isThere(path)) {
      this.found.push({ document, line, kind: 'link', text: url, meant: this.#near(path) });
      return;
    }
    if (anchor === undefined || anchor === '') return;
    const anchors = this.#anchorsOf(path);
    if (anchors === null || anchors.has(decode(anchor).toLowerCase()) || anchors.has(anchor)) return;
    this.found.push({
      document,
      line,
      kind: 'anchor',
      text: url,
      meant: nearestWords(anchor, [...anchors], 3),
    });
  }

  #anchorsOf(path: string): Set<string> | null {
    const document = this.#facts.documents.find((one) => one.path === path);
    if (document === undefined) return null;
    const known = this.#anchors.get(path) ?? anchorsOf(document.text);
    this.#anchors.set(path, known);
    return known;
  }

  /** Something in back-ticks is taken for a path only if it begins with a folder that is here. */
  checkPath(document: string, line: number, text: string): void {
    const path = text.replace(/^\.\//u, '').replace(/:\d+(?:-\d+)?$/u, '');
    if (!/^[\w@.+-]+(?:\/[\w@.+-]+)+\/?$/u.test(path) || !this.#tops.has(path.split('/')[0] ?? '')) return;
    if (!this.#isThere(path))
      this.found.push({ document, line, kind: 'path', text, meant: this.#near(path) });
  }

  checkCommand(document: string, line: number, text: string): void {
    const { scripts, targets } = this.#facts;
    const script = /^(?:npm|pnpm|yarn) run(?:-script)? ([\w:.-]+)/u.exec(text)?.[1];
    if (script !== undefined && scripts !== null && !scripts.includes(script))
      this.found.push({ document, line, kind: 'script', text, meant: nearestWords(script, scripts, 3) });
    const target = /^make ([a-z][\w.-]*)\b(?!=)/u.exec(text)?.[1];
    if (target !== undefined && targets !== null && !targets.includes(target))
      this.found.push({ document, line, kind: 'target', text, meant: nearestWords(target, targets, 3) });
    const file = /^(?:(?:node|python3?|bash|sh|source) )?(\.?\/?[\w@.+-]+(?:\/[\w@.+-]+)+)/u.exec(text)?.[1];
    if (file !== undefined && !file.startsWith('/')) this.checkPath(document, line, file);
  }
}

/** Everything that documentation gets wrong, in the order it stands there. */
export function findDrift(facts: DriftFacts): DriftItem[] {
  const drift = new Drift(facts);
  for (const { path, text } of facts.documents) {
    walk(parseMarkdown(text), (node) => {
      const line = node.position?.start.line ?? 1;
      if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
        drift.checkLink(path, line, node.url);
      else if (node.type === 'inlineCode') {
        drift.checkPath(path, line, node.value);
        drift.checkCommand(path, line, node.value);
      } else if (node.type === 'code' && shells.includes((node.lang ?? '').toLowerCase())) {
        node.value.split('\n').forEach((command, index) => {
          for (const part of command.replace(/^\s*\$ /u, '').split(/\s*(?:&&|;|\|)\s*/u))
            drift.checkCommand(path, line + 1 + index, part.trim());
        });
      }
    });
  }
  // A path in back-ticks may be looked at twice, as a path and as a command.
  const seen = new Set<string>();
  return drift.found.filter((item) => {
    const key = `${item.document}\n${item.line}\n${item.kind}\n${item.text}`;
    return !seen.has(key) && seen.add(key);
  });
}
