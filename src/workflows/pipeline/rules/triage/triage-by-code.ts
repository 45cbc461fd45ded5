/**
 * Triage before a model is asked: how large an issue is by the files that it names, whether it concerns an area in which
 * no agent works alone, whether it repeats another issue, and what it does not say.
 */
import { inertCode } from '../../../../domain/text/inert-markdown.ts';
import { parseMarkdown, plainText } from '../../../../domain/text/markdown.ts';
import { FileTree } from '../../../rules/file-tree.ts';
import { type IssueWords, readIssueWords, readLength } from '../../../rules/issue-words.ts';
import { findNamedPaths, pathInToken, tokensOf } from '../../../rules/named-paths.ts';
import { findDuplicates } from './find-duplicate.ts';
import { chooseType } from './issue-type.ts';
import { hasSentence, listQuestions } from './missing-information.ts';
import { findSensitivePaths, findSensitiveWords } from './sensitive-areas.ts';
import { type Complexity, largeScope, type Scope, type Triage } from './triage.ts';

export interface TriageFacts {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** The paths of the files in the base. */
  readonly files: readonly string[];
  readonly openIssues: readonly { readonly number: number; readonly title: string }[];
}

const fromMedium = 3;
const fromLarge = 6;
/** Paths that are not there, as far as they are listed. */
const mostAbsent = 5;
/** No forge takes as much; what follows is not looked at, and a person is told so. */
const longestBody = 200_000;

const wide =
  /\b(?:(?:entire|whole) (?:code ?base|project|repository|app|application|system)|all (?:the )?(?:files|modules|components|services|packages|endpoints|pages)|everywhere|across the (?:code ?base|project|repository)|rewrite|uberall|(?:gesamte|ganze)[nsm]? (?:projekt|anwendung|code))\b/u;

function judgeScope(named: number, { prose }: IssueWords): Scope {
  if (named >= fromLarge) return 'LARGE';
  return named >= fromMedium || wide.test(prose) ? 'MEDIUM' : 'SMALL';
}

function judgeComplexity(scope: Scope, areas: number): Complexity {
  if (scope === 'LARGE' || areas > 1) return 'complex';
  return scope === 'MEDIUM' || areas > 0 ? 'moderate' : 'simple';
}

/** Title and body in the ways in which the rules look at them. */
function readText({ title, body }: TriageFacts): {
  readonly words: IssueWords;
  /** Without blocks of code: a trace names files that nobody wants to change. */
  readonly told: string;
  readonly all: string;
  readonly hasCode: boolean;
} {
  const { children } = parseMarkdown(body.slice(0, readLength));
  const blocks = children.filter(({ type }) => type !== 'code').map((node) => plainText(node));
  const words = readIssueWords({ title, body });
  const headings = words.sections.filter(({ text }) => text !== '').map((section) => section.title);
  return {
    words,
    told: [title, ...blocks].join('\n'),
    // Behind what is parsed, the body is taken as it is written.
    all: [...words.tokens, ...headings, body.slice(readLength, longestBody)].join(' '),
    hasCode: blocks.length < children.length,
  };
}

function findRejection(
  facts: TriageFacts,
  duplicates: readonly number[],
  { tokens }: IssueWords,
): string | null {
  // Headings are the template's words.
  if (!hasSentence(tokens.join(' '))) return 'The issue has no sentence that says what should change.';
  // Of two that ask for the same, the older one goes on.
  const original = duplicates.find((other) => other < facts.number);
  return original === undefined
    ? null
    : `This issue looks like a duplicate of #${original}: the titles say the same.`;
}

export function triageByCode(facts: TriageFacts): Triage {
  const { words, told, all, hasCode } = readText(facts);
  const tree = new FileTree(facts.files);
  const named = findNamedPaths(told, tree);
  const anywhere = findNamedPaths(all, tree);
  const known = new Set([...anywhere.files, ...anywhere.folders, ...anywhere.absent]);
  // A path is judged as a path: `docs/architecture.md` does not speak of the architecture.
  const prose = tokensOf(all).filter((token) => {
    const path = pathInToken(token);
    return !known.has(path) && !known.has(path.replace(/\/+$/u, '')) && !/^https?:/u.test(token);
  });
  const scope = judgeScope(named.files.length + named.made.length, words);
  const sensitive = [
    ...findSensitiveWords(prose.join(' ')),
    ...findSensitivePaths([
      ...anywhere.files,
      ...anywhere.folders.map((path) => `${path}/`),
      ...anywhere.absent,
    ]),
  ];
  const duplicates = findDuplicates(facts, facts.openIssues);
  const type = chooseType(facts.labels, words);
  const rejectionReason = findRejection(facts, duplicates, words);
  return {
    type,
    scope,
    complexity: judgeComplexity(scope, sensitive.length),
    concerns: [
      ...(named.files.length + named.made.length === 0
        ? ['The issue names no file of the repository, so its scope is not known by code.']
        : []),
      ...named.absent
        .filter((path) => !named.made.includes(path))
        .slice(0, mostAbsent)
        .map(
          (path) =>
            `The issue names ${inertCode(path)}, which is not in the repository.${tree.suggest(path)}`,
        ),
      ...duplicates
        .filter((other) => other > facts.number)
        .slice(0, 1)
        .map((other) => `#${other} looks like a duplicate of this issue.`),
    ],
    questions: listQuestions(words, type, hasCode),
    escalations: [
      ...(scope === 'LARGE' ? [largeScope] : []),
      ...(facts.body.length > longestBody ? ['The description is too long to be read as a whole.'] : []),
      ...sensitive,
    ],
    shouldProceed: rejectionReason === null,
    rejectionReason,
  };
}
