/** A draft is not reviewed by a model of its drafter's family, unless somebody accepted that knowingly. */
import { areIndependent } from '../../domain/model-family.ts';
import type { AuthoringContext } from './definition.ts';

export const independenceFix =
  'choose a reviewer of another family, or accept it with --waive-independence "REASON" (it is recorded)';

/** What stands in the way, or null. A waiver that was given is recorded, once for each pair of models. */
export async function settleIndependence(context: AuthoringContext): Promise<string | null> {
  const { drafter, reviewer } = context.models;
  if (areIndependent(drafter, reviewer)) return null;
  const key = `${context.runId}/${drafter.name}/${reviewer.name}`;
  if ((await context.ledger.find('independence-waived', key)) !== null) return null;
  if (context.independenceWaiver === null) {
    return `drafter and reviewer are both of the family "${drafter.family ?? ''}"`;
  }
  await context.record({
    subject: context.subject,
    run: context.runId,
    actor: context.actor,
    kind: 'independence-waived',
    key,
    data: { drafter: drafter.name, reviewer: reviewer.name, why: context.independenceWaiver },
  });
  return null;
}
