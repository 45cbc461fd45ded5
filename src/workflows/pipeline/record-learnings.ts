/**
 * Keeps what agents of ours observed in a run. Nothing else becomes a learning: not the text of an issue, of a comment or
 * of a file.
 */
import { identifyLearning } from '../../domain/learnings/learnings.ts';
import type { SessionOutcome } from '../../domain/ledger/entries/learning-entries.ts';
import type { NewEntry } from '../../domain/ledger/ledger-entry.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import type { Fence, Ledger } from '../../ports/ledger.ts';
import { learningsSubject } from './read-learnings.ts';
import { inertLearning, inertPath } from './rules/inert-learning.ts';

/** More of one session are not kept: it would push out what others learned. */
const mostOfSession = 20;
const longestName = 40;

export interface Observation {
  readonly agent: string;
  readonly type: string;
  readonly content: string;
  readonly file?: string | null;
}

export interface ObservedSession {
  readonly repository: string;
  readonly run: string;
  readonly session: string;
  /** Null while it goes on. What was observed is written once more, with its outcome, when it has ended. */
  readonly outcome: SessionOutcome | null;
  readonly observations: readonly Observation[];
}

function toEntry(
  { repository, run, session, outcome }: ObservedSession,
  { agent, type, content, file = null }: Observation,
): (NewEntry & { readonly key: string }) | null {
  const inert = inertLearning(content);
  if (inert === null) return null;
  const path = inertPath(file);
  const learning = identifyLearning(inert, path);
  return {
    ...{ subject: learningsSubject(repository), run, actor: agent, kind: 'learning-observed' },
    key: `${run}/${learning}/${outcome ?? 'open'}`,
    data: {
      ...{ learning, session, outcome, content: inert, file: path },
      agent: escapeForLine(agent, longestName),
      type: escapeForLine(type, longestName),
    },
  };
}

/** Says how many are new. A repeated call, after a crash, adds nothing. */
export async function recordLearnings(
  ledger: Pick<Ledger, 'appendNew'>,
  session: ObservedSession,
  fence?: Fence,
): Promise<number> {
  const entries = session.observations.flatMap((one) => toEntry(session, one) ?? []);
  const once = [...new Map(entries.map((entry) => [entry.key, entry])).values()].slice(0, mostOfSession);
  if (once.length === 0) return 0;
  const added = await ledger.appendNew(once, fence);
  return added.filter((entry) => entry !== null).length;
}
