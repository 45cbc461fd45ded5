/** N0: opens the lineage with a copy of the brief. The brief itself was read and checked before the run began. */
import type { AuthoringContext } from '../definition.ts';
import { saveLineage } from '../save-lineage.ts';
import type { AuthoringState } from '../state.ts';

const shortBrief = 50;

export async function loadBrief(
  context: AuthoringContext,
  state: AuthoringState,
): Promise<Partial<AuthoringState>> {
  const brief = await context.ledger.getText(context.request.briefHash);
  const length = [...brief.trim()].length;
  if (length < shortBrief) {
    context.progress({
      kind: 'warning',
      message: `The ${context.request.issue === undefined ? 'brief' : 'issue'} has only ${length} characters, so a drafter has to guess. Add a few sentences.`,
    });
  }
  await saveLineage(context, `${state.step}/brief`, 'brief.md', () => brief);
  return {};
}
