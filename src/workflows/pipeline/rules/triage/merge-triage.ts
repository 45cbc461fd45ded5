/**
 * Puts what a model says about an issue on top of what code found. A model may only make it stricter: it reads text of
 * strangers, who would like their issue to be small, simple and harmless.
 */
import { foldSentence } from '../fold-sentence.ts';
import { complexities, issueTypes, largeScope, scopes, type Triage } from './triage.ts';

/** A model may leave out what it has no opinion on. */
export type TriageOpinion = { readonly [Key in keyof Triage]?: Triage[Key] | undefined };

interface MergedTriage {
  readonly triage: Triage;
  /** What the model wanted to be more lenient about, one sentence each; none of it was taken. */
  readonly dropped: readonly string[];
}

/** More of a list is not taken: a person has to read it. */
const mostAdded = 20;
const longestText = 1000;

/** What code found comes first and stays; the model adds what is new. */
function addTexts(found: readonly string[], more: readonly string[] = []): readonly string[] {
  const seen = new Set(found.map(foldSentence));
  const added: string[] = [];
  for (const text of more) {
    const short = [...text.trim()].slice(0, longestText).join('');
    const key = foldSentence(short);
    if (key === '' || seen.has(key) || added.length === mostAdded) continue;
    seen.add(key);
    added.push(short);
  }
  return [...found, ...added];
}

class Merge {
  readonly dropped: string[] = [];

  /** The stricter of two, by their places in a list that goes from lenient to strict. */
  choose<T extends string>(what: string, order: readonly T[], found: T, said: T | undefined): T {
    if (said === undefined || said === found) return found;
    if (order.indexOf(said) > order.indexOf(found)) return said;
    this.dropped.push(`The model said that the ${what} is ${said}; code found ${found}, and that holds.`);
    return found;
  }
}

export function mergeTriage(byCode: Triage, byModel: TriageOpinion): MergedTriage {
  const merge = new Merge();
  const scope = merge.choose('scope', scopes, byCode.scope, byModel.scope);
  const isLarger = scope === 'LARGE' && byCode.scope !== 'LARGE';
  const triage = {
    type: merge.choose('type', issueTypes, byCode.type, byModel.type),
    scope,
    complexity: merge.choose('complexity', complexities, byCode.complexity, byModel.complexity),
    concerns: addTexts(byCode.concerns, byModel.concerns),
    questions: addTexts(byCode.questions, byModel.questions),
    escalations: addTexts(
      isLarger ? [...byCode.escalations, largeScope] : byCode.escalations,
      byModel.escalations,
    ),
  };
  if (!byCode.shouldProceed) {
    if (byModel.shouldProceed === true)
      merge.dropped.push(
        'The model said that the work should begin; code found a reason against it, and that holds.',
      );
    return {
      triage: { ...triage, shouldProceed: false, rejectionReason: byCode.rejectionReason },
      dropped: merge.dropped,
    };
  }
  const isRejected = byModel.shouldProceed === false;
  const [reason = ''] = addTexts([], [byModel.rejectionReason ?? '']);
  return {
    triage: {
      ...triage,
      shouldProceed: !isRejected,
      rejectionReason: isRejected ? reason || 'The model gave no reason.' : null,
    },
    dropped: merge.dropped,
  };
}
