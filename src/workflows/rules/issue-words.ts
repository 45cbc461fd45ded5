/** What an issue says, as far as code can see it: its words, its sections and its open boxes, without what readers do not see. */
import { foldLetters } from '../../domain/drafts/fold-words.ts';
import { collectNodes, listSections, parseMarkdown, plainText } from '../../domain/text/markdown.ts';

export interface IssueText {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

export interface IssueWords {
  readonly title: readonly string[];
  readonly body: readonly string[];
  /** Title and body, folded, with single blanks between the words and around all of them. */
  readonly prose: string;
  /** The tokens of title and body as they are written. */
  readonly tokens: readonly string[];
  /** Characters that a reader sees in the body. */
  readonly length: number;
  readonly sections: readonly { readonly title: string; readonly text: string; readonly items: number }[];
  /** The texts of boxes that can be ticked. */
  readonly boxes: readonly string[];
}

/** More of a body is not looked at: a list of thousands of boxes takes the parser seconds, and says no more than its start. */
export const readLength = 20_000;

/** What a template leaves for the author to replace. */
const placeholder =
  /^(?:requirement \d+|criterion \d+|anforderung \d+|not doing x|path\/to\/\S+|not handling y edge case|todo|tbd|n\/a|none\.?|\.{3}|…|-)$/iu;

const wordsOf = (text: string): string[] => foldLetters(text).match(/[a-z0-9]+(?:-[a-z0-9]+)*/gu) ?? [];

export function readIssueWords({ title, body }: Omit<IssueText, 'labels'>): IssueWords {
  const root = parseMarkdown(body.slice(0, readLength));
  const items = (nodes: Parameters<typeof collectNodes>[0]): string[] =>
    collectNodes(nodes, 'listItem').map((item) => plainText(item).trim());
  const seen = (text: string): boolean => text !== '' && !placeholder.test(text);
  // Headings are the template's words.
  const blocks = root.children
    .filter(({ type }) => type !== 'heading')
    .map((node) => (node.type === 'list' ? items([node]).filter(seen).join('\n') : plainText(node)));
  const text = blocks.filter((block) => seen(block.trim())).join('\n');
  const words = { title: wordsOf(title), body: wordsOf(text) };
  return {
    ...words,
    prose: ` ${[...words.title, ...words.body].join(' ')} `,
    tokens: `${title} ${text}`.split(/[\s"'`()<>[\],;]+/u).filter((token) => token !== ''),
    length: text.trim().length,
    sections: listSections(root).map(({ title: heading, content }) => {
      const own = content.filter((node) => node.type !== 'heading');
      const listed = items(own).filter(seen);
      const rest = own.filter((node) => node.type !== 'list').map((node) => plainText(node).trim());
      return {
        title: wordsOf(heading).join(' '),
        text: [...rest.filter(seen), ...listed].join('\n'),
        items: listed.length,
      };
    }),
    boxes: collectNodes([root], 'listItem')
      .filter(({ checked }) => typeof checked === 'boolean')
      .map((item) => plainText(item).trim())
      .filter(seen),
  };
}
