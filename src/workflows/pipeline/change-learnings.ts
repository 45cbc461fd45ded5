/** A person corrects what agents have learned, or has it forgotten. */
import type { Learning } from '../../domain/learnings/learnings.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { learningsSubject, readLearnings } from './read-learnings.ts';
import { inertLearning } from './rules/inert-learning.ts';

export interface LearningChange {
  readonly repository: string;
  /** Its id, or how it begins. */
  readonly id: string;
  readonly person: string;
}

type Store = Pick<Ledger, 'readState' | 'append'>;

async function findLearning(ledger: Store, { repository, id }: LearningChange): Promise<Learning> {
  const wanted = id.toLowerCase();
  const found = (await readLearnings(ledger, repository)).filter(
    (one) => wanted !== '' && one.id.toLowerCase().startsWith(wanted),
  );
  const [learning] = found;
  if (learning !== undefined && found.length === 1) return learning;
  const shown = escapeForLine(id, 60);
  throw new GatewrightError(
    'usage',
    found.length === 0 ? `There is no learning "${shown}".` : `"${shown}" is the beginning of several ids.`,
    { hint: 'See them with: gatewright learnings' },
  );
}

/** Says what is kept of the text. */
export async function editLearning(ledger: Store, change: LearningChange, text: string): Promise<Learning> {
  const learning = await findLearning(ledger, change);
  const content = inertLearning(text);
  if (content === null)
    throw new GatewrightError('usage', 'Nothing of this text can be kept as a learning.', {
      hint: 'Say what is so in this repository, in a sentence. Orders to agents are left out.',
    });
  const { repository, person } = change;
  const data = { learning: learning.id, content, by: person };
  await ledger.append([
    { subject: learningsSubject(repository), run: '', actor: person, kind: 'learning-edited', data },
  ]);
  const now = await readLearnings(ledger, repository);
  return now.find(({ id }) => id === learning.id) ?? learning;
}

export async function removeLearning(ledger: Store, change: LearningChange, why: string): Promise<Learning> {
  const learning = await findLearning(ledger, change);
  const { repository, person } = change;
  const data = { learning: learning.id, by: person, why: escapeForLine(why, 400) };
  await ledger.append([
    { subject: learningsSubject(repository), run: '', actor: person, kind: 'learning-removed', data },
  ]);
  return learning;
}
