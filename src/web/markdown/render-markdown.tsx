/**
 * Markdown of other authors as React elements, made one by one from the parsed tree: there is no text that becomes HTML.
 * What is not known here is shown as it was written. Pictures are not loaded, since to load one is to tell a stranger.
 * An answer counts for the whole text, and models read all of it: each word of the source is in what is shown.
 */
import type { Definition, Link, Nodes, Parents, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import { createElement, Fragment, type ReactNode } from 'react';
import { plainText, safeAddress } from '../parts/plain-text.ts';
import { whyNotRendered } from './why-not-rendered.ts';

interface Context {
  readonly source: string;
  readonly definitions: ReadonlyMap<string, string>;
  readonly depth: number;
}

/** Deeper than people write; a browser would need too long, or fall over. */
const deepest = 60;

/** All of them, also those in lists and quotations. */
function listDefinitions(node: Nodes, depth = 0): Definition[] {
  if (node.type === 'definition') return [node];
  if (!('children' in node) || depth > deepest) return [];
  return node.children.flatMap((child) => listDefinitions(child, depth + 1));
}

function findDefinitions(root: Nodes): ReadonlyMap<string, string> {
  return new Map(
    listDefinitions(root)
      .toReversed()
      .map(({ identifier, url }) => [identifier, url]),
  );
}

function asWritten({ position }: Nodes, { source }: Context): string {
  return plainText(source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0));
}

function renderLink(url: string, children: ReactNode): ReactNode {
  const address = safeAddress(url);
  return address === null ? (
    <span>{children}</span>
  ) : (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** What a browser would keep to itself, beside what it shows. */
function Beside({ children }: { readonly children: string }): ReactNode {
  return <span className="beside">{plainText(children)}</span>;
}

/** The address and the title, unless the address is all that was written. */
function renderAddress(node: Link, context: Context): ReactNode {
  if (/^(?:<|[^[])/u.test(asWritten(node, context))) return null;
  const title = typeof node.title === 'string' ? ` "${node.title}"` : '';
  return <Beside>{` (${node.url}${title})`}</Beside>;
}

function renderTable({ children, align }: Table, context: Context): ReactNode {
  const [head, ...rows] = children;
  const cells = (row: Table['children'][number], tag: 'th' | 'td'): ReactNode =>
    row.children.map((cell, index) =>
      createElement(
        tag,
        { key: cell.position?.start.offset ?? index, className: `is-${align?.[index] ?? 'left'}` },
        renderChildren(cell, context),
      ),
    );
  return (
    <div className="scrolls">
      <table>
        <thead>{head === undefined ? null : <tr>{cells(head, 'th')}</tr>}</thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.position?.start.offset}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function renderChildren({ children }: Parents, context: Context): ReactNode {
  return (children as RootContent[]).map((child, index) => (
    <Fragment key={child.position?.start.offset ?? index}>{renderNode(child, context)}</Fragment>
  ));
}

/** The number that was written: the browser would count by itself. */
function findNumber(item: Nodes, context: Context): number | undefined {
  const [, number] = /^(\d+)[.)]/u.exec(asWritten(item, context)) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The page has its own first two levels. */
const headings = ['h3', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function renderNode(node: RootContent, outer: Context): ReactNode {
  const context = { ...outer, depth: outer.depth + 1 };
  if (context.depth > deepest) return asWritten(node, context);
  switch (node.type) {
    case 'text':
      return plainText(node.value);
    case 'paragraph':
      return <p>{renderChildren(node, context)}</p>;
    case 'heading':
      return createElement(headings[node.depth - 1] ?? 'h6', {}, renderChildren(node, context));
    case 'emphasis':
      return <em>{renderChildren(node, context)}</em>;
    case 'strong':
      return <strong>{renderChildren(node, context)}</strong>;
    case 'delete':
      return <del>{renderChildren(node, context)}</del>;
    case 'inlineCode':
      return <code>{plainText(node.value)}</code>;
    case 'code':
      return (
        <pre>
          {typeof node.lang === 'string' ? (
            <Beside>{`${[node.lang, node.meta].filter((one) => typeof one === 'string').join(' ')}\n`}</Beside>
          ) : null}
          <code>{plainText(node.value)}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{renderChildren(node, context)}</blockquote>;
    case 'list':
      return node.ordered === true ? (
        <ol>{renderChildren(node, context)}</ol>
      ) : (
        <ul>{renderChildren(node, context)}</ul>
      );
    case 'listItem':
      return node.checked === null || node.checked === undefined ? (
        <li value={findNumber(node, context)}>{renderChildren(node, context)}</li>
      ) : (
        <li className="task" value={findNumber(node, context)}>
          <span className="check" role="img" aria-label={node.checked ? 'done:' : 'to do:'}>
            {node.checked ? '☑' : '☐'}
          </span>
          <div>{renderChildren(node, context)}</div>
        </li>
      );
    case 'link':
      return (
        <>
          {renderLink(node.url, renderChildren(node, context))}
          {renderAddress(node, context)}
        </>
      );
    case 'linkReference':
      return (
        <>
          {renderLink(context.definitions.get(node.identifier) ?? '', renderChildren(node, context))}
          {node.referenceType === 'full' ? <Beside>{` [${node.label ?? node.identifier}]`}</Beside> : null}
        </>
      );
    case 'image':
      return renderLink(node.url, `picture: ${asWritten(node, context)}`);
    case 'imageReference':
      return renderLink(
        context.definitions.get(node.identifier) ?? '',
        `picture: ${asWritten(node, context)}`,
      );
    case 'table':
      return renderTable(node, context);
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    case 'definition':
      return (
        <p>
          <Beside>{asWritten(node, context)}</Beside>
        </p>
      );
    case 'html':
      return <code className="as-written">{plainText(node.value)}</code>;
    default:
      return asWritten(node, context);
  }
}

export function renderMarkdown(source: string): ReactNode {
  if (whyNotRendered(source) !== null) return <pre className="source">{plainText(source)}</pre>;
  const root = fromMarkdown(source, {
    extensions: [gfmTable(), gfmStrikethrough(), gfmTaskListItem()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown(), gfmTaskListItemFromMarkdown()],
  });
  return renderChildren(root, { source, definitions: findDefinitions(root), depth: 0 });
}
