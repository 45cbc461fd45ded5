/** A hint for the next tasks that holds for a short while; it lasts only if it is promoted to a note or a task. */
import { z } from 'zod';
import { sha256 } from '../../../../domain/ledger/hash.ts';
import { jsonBlockOf } from '../../../issue-runs/rules/comment-words.ts';
import { readCommentSections } from './comment-sections.ts';
import { type CommentPrefixes, commentPrefixes, kindOfComment } from './prefixes.ts';

export const longestNote = 1000;

/** Anything may stand in `expiresAt`: what is no time has passed. */
const wispSchema = z.object({
  v: z.literal(1),
  type: z.literal('wisp'),
  id: z.string().regex(/^wsp_[A-Za-z0-9]{1,40}$/u),
  taskUid: z.string().regex(/^(?:tsk_[0-9a-f]{12})?$/u),
  note: z.string().max(longestNote),
  expiresAt: z.string().max(100).nullable().default(null).catch(null),
  // One whose state is not plain is not shown to an agent.
  promoted: z.boolean().default(false).catch(true),
});

export type Wisp = z.infer<typeof wispSchema>;

/** The same for the same words about the same task: a second one is the same wisp. */
export function makeWispId(issue: number, taskUid: string, note: string): string {
  return `wsp_${sha256(`${issue}|${taskUid}|${note}`).slice(0, 12)}`;
}

export function writeWisp(
  wisp: {
    readonly issue: number;
    readonly taskUid: string;
    readonly note: string;
    /** ISO 8601. */
    readonly expiresAt: string;
    /** When it has become a note or a task: then it is written once more, with the same words. */
    readonly promoted?: boolean;
  },
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const { issue, taskUid, expiresAt, promoted = false } = wisp;
  const note =
    wisp.note.length <= longestNote ? wisp.note : [...wisp.note].slice(0, longestNote / 2).join('');
  const event: Wisp = {
    ...{ v: 1, type: 'wisp', id: makeWispId(issue, taskUid, note), taskUid, note, expiresAt, promoted },
  };
  return [prefixes.wisp, '', ...jsonBlockOf(event), ''].join('\n');
}

/** By the one block of JSON right under the heading; null for anything else. */
export function readWisp(body: string, prefixes: CommentPrefixes = commentPrefixes): Wisp | null {
  if (kindOfComment(body, prefixes) !== 'wisp') return null;
  const blocks = readCommentSections(body)[0]?.code.filter(({ language }) => language === 'json') ?? [];
  const [block] = blocks;
  if (block === undefined || blocks.length > 1) return null;
  try {
    return wispSchema.safeParse(JSON.parse(block.text)).data ?? null;
  } catch {
    return null;
  }
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/u;

/** Whether it is shown to agents: not promoted, and its time has not come. Without a time that can be read it has. */
export function isLive({ expiresAt, promoted }: Pick<Wisp, 'expiresAt' | 'promoted'>, now: Date): boolean {
  return !promoted && expiresAt !== null && time.test(expiresAt) && Date.parse(expiresAt) > now.getTime();
}
