/**
 * What a comment says to the question that a loop waits with. Only the writer's own words count, and only forms that are
 * listed here; everything else answers nothing.
 */
import type { GateQuestion } from '../../../../domain/drafts/gate.ts';
import { labelNames } from '../../../../domain/forge/labels.ts';
import { isPlainOrder, readPlanAnswer } from '../../../../domain/spoken/plan-approval.ts';
import { isPartlyRead, mentions } from '../../../../domain/spoken/spoken-text.ts';
import { cutFirstWord, linesOf, type SpokenAnswer } from '../../../issue-runs/rules/spoken-answer.ts';
import { issueTypes } from './checkpoint-comments.ts';

type Reader = (body: string, handle: string) => SpokenAnswer | null;

/** The words that say that it works, with nothing beside them. */
const working: ReadonlySet<string> = new Set([
  ...['works', 'it works', 'works for me', 'works fine', 'works well'],
  ...['this works', 'everything works', 'all works', 'tested works', 'tested it works'],
]);

function isWorking(body: string, handle: string): boolean {
  if (isPartlyRead(body)) return false;
  const said = linesOf(body, handle)
    .join(' ')
    .toLowerCase()
    .replace(/[,;:–—-]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/[.!\s]+$/u, '')
    .trim();
  return working.has(said);
}

const typeNames = new Map(issueTypes.map((name) => [name.toLowerCase(), name]));

/** The three debug questions: a type and a place where they are named in lines of their own, and the rest. */
function readReport(rest: string): string | null {
  let type = 'Other';
  let location = '';
  const description: string[] = [];
  for (const line of rest.split('\n')) {
    const [, name = '', value = ''] =
      /^(?:\d[.)]\s*)?(type|issue type|location|description)\s*:\s*(.*)$/iu.exec(line) ?? [];
    if (/type$/iu.test(name)) type = typeNames.get(value.trim().toLowerCase()) ?? 'Other';
    else if (/^location$/iu.test(name)) location = value.trim().slice(0, 200);
    else description.push(name === '' ? line : value);
  }
  const text = description.join('\n').trim();
  return text === '' ? null : [type, location, text].join('\n');
}

const readers: Readonly<Partial<Record<GateQuestion['kind'], Reader>>> = {
  scope: (body, handle) => {
    const said = cutFirstWord(body, handle);
    const isShort = said?.word === 'plan' && /^[.!]*$/u.test(said.rest);
    if (isShort && mentions(body, handle)) return { choice: 'plan' };
    return linesOf(body, handle).length === 0 ? null : { choice: 'answer', feedback: body };
  },
  plan: (body, handle) => {
    const answer = readPlanAnswer(body, handle);
    if (answer === 'approves') return { choice: 'approve' };
    if (answer === 'assents' && mentions(body, handle)) return { choice: 'approve' };
    if (answer === 'revises' || (answer === 'other' && mentions(body, handle)))
      return { choice: 'revise', feedback: body };
    return null;
  },
  work: (body, handle) => {
    if (isPlainOrder(body, handle)) return { choice: 'loop' };
    const said = mentions(body, handle) ? cutFirstWord(body, handle) : null;
    if (said === null || said.rest !== '') return null;
    if (['continue', 'implement', 'loop', 'start'].includes(said.word)) return { choice: 'loop' };
    return said.word === 'next' ? { choice: 'next' } : null;
  },
  testing: (body, handle) => {
    if (isWorking(body, handle)) return { choice: 'works' };
    const said = mentions(body, handle) ? cutFirstWord(body, handle) : null;
    const report = said?.word === 'issue' ? readReport(said.rest) : null;
    return report === null ? null : { choice: 'issue', feedback: report };
  },
  blocked: (body, handle) => {
    const said = mentions(body, handle) ? cutFirstWord(body, handle) : null;
    if (said === null) return null;
    if (said.word === 'retry')
      return said.rest === '' ? { choice: 'retry' } : { choice: 'retry', feedback: said.rest };
    if (said.word === 'replan' && said.rest !== '') return { choice: 'replan', feedback: said.rest };
    const [, task = '', why = ''] = /^(US-\d{3,})(?:\s*[:,.;–—-]+\s*|\s+)(.+)$/isu.exec(said.rest) ?? [];
    if (said.word !== 'skip' || why.trim() === '') return null;
    return { choice: 'skip', feedback: `${task.toUpperCase()}: ${why.trim()}` };
  },
  close: (body, handle) => {
    const said = mentions(body, handle) ? cutFirstWord(body, handle) : null;
    return said?.word === 'close' && said.rest === '' ? { choice: 'close' } : null;
  },
};

/** Null when the comment says nothing to a question of that kind. */
export function readGateAnswer(
  kind: GateQuestion['kind'],
  body: string,
  handle: string,
): SpokenAnswer | null {
  return readers[kind]?.(body, handle) ?? null;
}

/** How to answer in a comment, for a person whose comment could not be read as an answer. */
export function describeAnswers(kind: GateQuestion['kind'], handle: string): string[] {
  const say = (words: string, what: string): string => `- \`@${handle} ${words}\` ${what}`;
  switch (kind) {
    case 'scope':
      return ['- A comment with your answers.', say('plan', 'has it planned without answers.')];
    case 'plan':
      return [
        say('approve', `approves the plan; so does the label "${labelNames.loopApproved}".`),
        say('revise: …', 'says what should change; the new plan needs an approval.'),
      ];
    case 'work':
      return [say('continue', 'does one task after the other.'), say('next', 'does the next task only.')];
    case 'testing':
      return [
        say('works', 'says that you tested it and it works; then the pull request is made.'),
        say('issue: …', 'says what is wrong. Lines that begin with `Type:` and `Location:` are read too.'),
      ];
    case 'blocked':
      return [
        say('retry …', 'tries again; the next attempt is told what you write.'),
        say('replan: …', 'has what is left planned anew.'),
        say('skip US-001: …', 'goes on without that task; say why.'),
      ];
    case 'close':
      return [say('close', 'writes the report and makes the pull request.')];
    default:
      return [];
  }
}
