/** A draft is not reviewed by a model of its drafter's family, unless a person accepted that knowingly. */
import { areIndependent, familyOnRecord } from '../../domain/models/model-family.ts';
import { GatewrightError } from '../../errors.ts';
import type { AuthoringContext } from './definition.ts';

export const independenceFix =
  'choose a reviewer of another family, or accept it with --waive-independence "REASON" (it is recorded)';

interface Named {
  readonly name: string;
  readonly family: string | null;
}

export function namedOnRecord(name: string): Named {
  return { name, family: familyOnRecord(name) };
}

/** All whose words may be in the draft: a run that was resumed or forked may have had another drafter before. */
async function listDrafters(context: AuthoringContext): Promise<Named[]> {
  const names = (await context.readEntries()).flatMap((entry) =>
    entry.kind === 'model-answered' && entry.data.role === 'drafter' ? [entry.data.model] : [],
  );
  return [context.models.drafter, ...[...new Set(names)].map(namedOnRecord)];
}

/** What stands in the way, or null. A waiver that was given is recorded, once for each pair of models. */
export async function checkIndependence(
  context: AuthoringContext,
  reviewer: Named = context.models.reviewer,
): Promise<string | null> {
  for (const drafter of await listDrafters(context)) {
    if (areIndependent(drafter, reviewer)) continue;
    const key = `${context.runId}/${drafter.name}/${reviewer.name}`;
    if ((await context.ledger.find('independence-waived', key)) !== null) continue;
    if (context.independenceWaiver === null)
      return `drafter and reviewer are both of the family "${drafter.family ?? ''}"`;
    await context.record({
      subject: context.subject,
      run: context.runId,
      actor: context.actor,
      kind: 'independence-waived',
      key,
      data: { drafter: drafter.name, reviewer: reviewer.name, why: context.independenceWaiver },
    });
  }
  return null;
}

/** The models may be others than those that the preflight looked at. */
export async function requireIndependence(context: AuthoringContext, reviewer?: Named): Promise<void> {
  const problem = await checkIndependence(context, reviewer);
  if (problem !== null)
    throw new GatewrightError('models-not-independent', `${problem}.`, { hint: independenceFix });
}
