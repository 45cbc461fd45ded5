/** What the verdict of a gate says now. The reviewer's own decision counts while its file is as it was written. */
import type { GateQuestion, GateVerdict } from '../../domain/drafts/gate.ts';
import { readVerdict } from '../../domain/drafts/read-verdict.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import type { Ledger } from '../../ports/ledger.ts';

export interface VerdictNow extends GateVerdict {
  /** Why an edited file decides nothing; null when it does, or is as it was written. */
  readonly unclear: string | null;
}

/** Null at a gate that is not about a verdict. */
export async function readGateVerdict(
  question: GateQuestion,
  texts: Readonly<Record<string, string>>,
  ledger: Pick<Ledger, 'getText'>,
): Promise<VerdictNow | null> {
  const asked = question.artefacts.find((artefact) => artefact.name === 'verdict');
  if (asked === undefined) return null;
  const text = texts.verdict ?? '';
  if (sha256(text) === asked.hash)
    return { decision: question.decision ?? null, unclear: null, isEdited: false };
  return { ...readVerdict(text, await ledger.getText(asked.hash)), isEdited: true };
}
