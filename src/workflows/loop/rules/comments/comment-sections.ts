/**
 * The sections of a comment, as Markdown has them: a heading in code, in a quote or in HTML is none. Most comments are
 * read line by line; only one with a line that Markdown may read in two ways needs the parser, which is a hundred times
 * slower.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { isTooDeep } from '../../../../domain/text/markdown.ts';

interface CodeBlock {
  /** The first word behind the opening fence. */
  readonly language: string;
  readonly text: string;
}

export interface CommentSection {
  /** As it is written, without its number signs. */
  readonly title: string;
  readonly depth: number;
  /** The lines of the section that are not in a block of code. */
  readonly lines: readonly string[];
  readonly code: readonly CodeBlock[];
}

interface OpenSection extends CommentSection {
  readonly lines: string[];
  readonly code: CodeBlock[];
}

/** As long as a forge lets a comment be. */
const longestComment = 65_536;

/** Of those that the parser has to read: with more it may take seconds. We write none that needs it. */
const longestParsed = 16_384;

const lineEnd = /\r\n?|\n/u;
const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;
const opening = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/u;
/** In a list or not: the lines before decide it. HTML may swallow what comes after it. */
const ambiguous = /^ {1,3}(?:`{3}|~{3}|#)|^ {0,3}</u;

class Sections {
  readonly all: OpenSection[] = [];

  open(line: string): void {
    const [, marks = '', words = ''] = heading.exec(line) ?? [];
    const title = words.replace(/(?:^|[ \t])#+[ \t]*$/u, '').trim();
    this.all.push({ title, depth: marks.length, lines: [], code: [] });
  }

  addLine(line: string): void {
    this.all.at(-1)?.lines.push(line);
  }

  addCode(info: string, text: string): void {
    this.all.at(-1)?.code.push({ language: info.trim().split(/\s/u, 1)[0] ?? '', text });
  }
}

/** Null when a line may be read in two ways. */
function readByLines(body: string): CommentSection[] | null {
  const sections = new Sections();
  let fence: { readonly mark: string; readonly info: string; readonly lines: string[] } | null = null;
  for (const line of body.split(lineEnd)) {
    if (fence !== null) {
      const closing: string = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line)?.[1] ?? '';
      if (closing.startsWith(fence.mark)) {
        sections.addCode(fence.info, fence.lines.join('\n'));
        fence = null;
      } else fence.lines.push(line);
      continue;
    }
    const start = opening.exec(line);
    if (start !== null)
      fence = { mark: start[1] ?? start[3] ?? '', info: start[2] ?? start[4] ?? '', lines: [] };
    else if (ambiguous.test(line)) return null;
    else if (heading.test(line)) sections.open(line);
    else sections.addLine(line);
  }
  // A fence that is left open reaches to the end.
  if (fence !== null) sections.addCode(fence.info, fence.lines.join('\n'));
  return sections.all;
}

/**
 * Marks inside lines do not matter here, and pairing thousands of them takes minutes. Headings that are underlined and
 * definitions stay: HTML after them begins a block, and after any other line it may not.
 */
const withoutInline = {
  disable: {
    null: [
      ...['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'hardBreakEscape'],
      ...['htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'],
    ],
  },
};

/** Each takes the parser as long as all that is before it. */
const mostUnderlines = 300;

function isTooMuch(body: string): boolean {
  const underlines = body.match(/^[ \t>]*(?:-+|=+)[ \t]*$/gmu)?.length ?? 0;
  return body.length > longestParsed || underlines > mostUnderlines || isTooDeep(body);
}

function readByParser(body: string): CommentSection[] {
  if (isTooMuch(body)) return [];
  const sections = new Sections();
  for (const node of fromMarkdown(body, { extensions: [withoutInline] }).children) {
    const source = body.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
    if (node.type === 'heading' && heading.test(source)) sections.open(source);
    else if (node.type === 'code' && /^(?:`{3}|~{3})/u.test(source))
      sections.addCode(node.lang ?? '', node.value.replace(/\r\n?/gu, '\n'));
    else for (const line of source.split(lineEnd)) sections.addLine(line);
  }
  return sections.all;
}

/** What stands before the first heading is in none. A comment that is too long to be read has none. */
export function readCommentSections(body: string): readonly CommentSection[] {
  if (body.length > longestComment) return [];
  const text = body.replace(/^\uFEFF/u, '');
  return readByLines(text) ?? readByParser(text);
}
