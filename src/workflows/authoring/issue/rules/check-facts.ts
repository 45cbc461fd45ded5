/** Checks what a drafted issue says about the repository against what is there, before a reviewer is paid. */
import type { ListItem } from 'mdast';
import { findLabels } from '../../../../domain/drafts/issue-draft.ts';
import { gapMark } from '../../../../domain/drafts/mechanical-checks.ts';
import type { Finding } from '../../../../domain/drafts/verdict.ts';
import { inertCode } from '../../../../domain/text/inert-markdown.ts';
import {
  collectNodes,
  findSection,
  listSections,
  parseMarkdown,
  plainText,
} from '../../../../domain/text/markdown.ts';
import { nearestWord } from '../../../../domain/text/nearest-word.ts';
import { FileTree, isUsablePath } from '../../../rules/file-tree.ts';
import type { RepositoryFacts } from './repository-facts.ts';

function finding(tier: Finding['tier'], section: string, problem: string, fix: string): Finding {
  return { tier, category: 'Quality', section, problem, fix };
}

const filesTitle = 'Files to Create/Modify';
const isNew =
  /(?<![\p{L}])(?:new|create[sd]?|add(?:s|ed)?|introduce[sd]?|neu(?:e[rs]?)?|anlegen)(?![\p{L}])/iu;

function checkPath(path: string, words: string, tree: FileTree): Finding[] {
  const name = inertCode(path);
  if (!isUsablePath(path.replace(/\/$/u, ''))) {
    const fix = 'Give a path from the root of the repository, with forward slashes.';
    return [finding('blocking', filesTitle, `${name} is not a path inside the repository.`, fix)];
  }
  const isThere = tree.has(path.replace(/\/$/u, ''));
  if (isThere || isNew.test(words)) return [];
  const meant = tree.suggest(path);
  const fix = 'Name a file that exists, or say that it is new.';
  return [finding(meant === '' ? 'suggestion' : 'blocking', filesTitle, `There is no ${name}.${meant}`, fix)];
}

/** What looks like a path: it has a slash or an ending, and nothing that paths do not have. */
const pathLike = /^(?=.*[/.])(?!https?:)[\p{L}\p{N}_.@+/~\\ -]{1,400}$/u;

function checkFiles(draft: string, files: readonly string[]): Finding[] {
  const section = findSection(listSections(parseMarkdown(draft)), filesTitle);
  const tree = new FileTree(files);
  return collectNodes(section?.content ?? [], 'listItem').flatMap((item: ListItem) => {
    const own = item.children.filter((child) => child.type !== 'list');
    const words = own.map((child) => plainText(child, { withoutCode: true })).join(' ');
    if (own.some((child) => plainText(child).includes(gapMark))) return [];
    const [first] = collectNodes(own, 'inlineCode');
    return first === undefined || !pathLike.test(first.value) ? [] : checkPath(first.value, words, tree);
  });
}

/** A label that is almost one of those there are is a slip; any other is made when the issue is filed. */
function checkLabels(draft: string, labels: readonly string[]): Finding[] {
  const known = new Map(labels.map((name) => [name.toLowerCase(), name]));
  return findLabels(draft).flatMap((name) => {
    if (known.has(name.toLowerCase()) || known.size === 0) return [];
    const near = name.length < 4 ? null : nearestWord(name.toLowerCase(), [...known.keys()]);
    // `v2` beside `v1` is the next one, and no slip.
    const letters = (one: string): string => one.toLowerCase().replaceAll(/\d+/gu, '0');
    const isSlip =
      near !== null &&
      letters(near) !== letters(name) &&
      near[0] === name[0]?.toLowerCase() &&
      Math.abs(near.length - name.length) <= 2;
    const problem = `There is no label ${inertCode(name)}.`;
    return isSlip
      ? [
          finding(
            'blocking',
            'Labels',
            `${problem} Did you mean ${inertCode(known.get(near) ?? near)}?`,
            'Use a label that exists, or a name that is not almost one.',
          ),
        ]
      : [finding('suggestion', 'Labels', problem, 'It is made when the issue is filed.')];
  });
}

/** The issues of this repository that the draft says it depends on. */
export function findDependencies(draft: string): number[] {
  const section = findSection(listSections(parseMarkdown(draft)), 'Dependencies');
  const words = (section?.content ?? []).map((node) => plainText(node, { withoutCode: true })).join('\n');
  const numbers = [...words.matchAll(/(?<![\p{L}\p{N}_/#-])#(\d{1,9})(?![\p{L}\p{N}_])/gu)].map(([, n]) =>
    Number(n),
  );
  return [...new Set(numbers)].filter((number) => number > 0).slice(0, 20);
}

/** Open issues whose titles share a telling word with the lines about a number. */
function meantIssues(draft: string, number: number, facts: RepositoryFacts): string {
  const section = findSection(listSections(parseMarkdown(draft)), 'Dependencies');
  const lines = (section?.content ?? [])
    .map((node) => plainText(node))
    .join('\n')
    .split('\n');
  const said = lines
    .filter((line) => line.includes(`#${number}`))
    .join(' ')
    .toLowerCase();
  const words = new Set(said.match(/\p{L}{5,}/gu) ?? []);
  const near = facts.issues.filter(({ title }) =>
    (title.toLowerCase().match(/\p{L}{5,}/gu) ?? []).some((word) => words.has(word)),
  );
  if (near.length === 0) return '';
  return ` Did you mean ${near
    .slice(0, 3)
    .map((one) => `#${one.number} (${inertCode(one.title, 80)})`)
    .join(' or ')}?`;
}

/** `missing` are the dependencies that the forge does not have. */
export function checkAgainstFacts(
  draft: string,
  facts: RepositoryFacts,
  missing: readonly number[],
): Finding[] {
  return [
    ...(facts.isPartial ? [] : checkFiles(draft, facts.files)),
    ...checkLabels(draft, facts.labels),
    ...missing.map((number) =>
      finding(
        'blocking',
        'Dependencies',
        `There is no #${number} here.${meantIssues(draft, number, facts)}`,
        'Name an issue that exists, or write "None".',
      ),
    ),
  ];
}
