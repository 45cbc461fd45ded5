/** What a proposal answers, found by the question; and what of it no run came to ask. */
import { canonicalJson, type Json, sha256 } from '../../domain/ledger/hash.ts';
import type { EntryOf, LedgerEntry, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { Usage } from '../../domain/models/budget.ts';
import type { Proposal } from '../../domain/proposals/proposal.ts';
import type { LeftTree, OpenParcel } from '../../ports/proposals/parcels.ts';
import type { ActingHalf, AskedCall, CallName, WorkedCall } from '../../runs/halves.ts';
import type { FleetTools } from '../../runs/house.ts';

const keyOf = ({ run, role, call, prompt }: CallName): string => `${run}/${role}#${call}/${prompt}`;

/** Every try of it that was paid for. */
function spentOn(
  done: AskedCall | WorkedCall,
): { readonly reportedModel: string; readonly usage: Usage; readonly credential: string }[] {
  if (done.kind === 'worked')
    return [...done.report.earlier, done.report].map(({ credential, reportedModel, usage }) => ({
      credential,
      reportedModel,
      usage,
    }));
  const spent = done.spent.map(({ credential, reportedModel, usage }) => ({
    credential,
    reportedModel,
    usage,
  }));
  if ('failure' in done.end) return spent;
  const { reportedModel, usage } = done.end;
  return [...spent, { credential: '', reportedModel, usage }];
}

/**
 * Whether a run has used it, now or when the proposal was applied before: the ledger has a prompt that was sent, and what
 * this very answer has cost. That of a workflow run that was faster has cost something else.
 */
function isUsed(
  since: readonly LedgerEntry[],
  { role, prompt }: Pick<CallName, 'role' | 'prompt'>,
  done: AskedCall | WorkedCall,
): boolean {
  const cost = (usage: Usage | undefined): string => canonicalJson((usage ?? null) as unknown as Json);
  const paid = spentOn(done).at(-1)?.usage;
  const ofRole = since.filter(({ data }) => 'role' in data && data.role === role);
  return (
    ofRole.some(({ kind, data }) => kind === 'prompt-sent' && data.prompt === prompt) &&
    (paid === undefined ||
      ofRole.some(
        ({ kind, data }) =>
          (kind === 'model-answered' || kind === 'model-failed') && cost(data.usage) === cost(paid),
      ))
  );
}

export class ProposedAnswers implements ActingHalf {
  readonly kind = 'acts';
  readonly #calls = new Map<string, AskedCall | WorkedCall>();
  readonly #names = new Map<string, CallName & { readonly tip: string }>();
  readonly #parcel: OpenParcel | null;

  constructor(proposal: Pick<Proposal, 'runs'> | null, parcel: OpenParcel | null) {
    this.#parcel = parcel;
    for (const { run, calls, tip } of proposal?.runs ?? [])
      for (const { role, call, prompt, done } of calls) {
        const name = { run, role, call, prompt };
        this.#calls.set(keyOf(name), done);
        this.#names.set(keyOf(name), { ...name, tip });
      }
  }

  readonly find = (name: CallName): AskedCall | WorkedCall | null => this.#calls.get(keyOf(name)) ?? null;

  readonly restore = async (left: LeftTree, folder: string): Promise<void> => {
    await this.#parcel?.restore(left, folder);
  };

  /**
   * Writes down what answers have cost that no run has used: the question is another one by now, or the work began at
   * another commit. Once, however often the same proposal is applied; says how many there are.
   */
  async recordUnused({ ledger }: Pick<FleetTools, 'ledger'>): Promise<number> {
    const entries: NewEntry[] = [];
    let count = 0;
    for (const [key, done] of this.#calls) {
      const { run, role, prompt, tip } = this.#names.get(key) as CallName & { readonly tip: string };
      const known = await ledger.readRun(run);
      const since = known.slice(known.findIndex(({ hash }) => hash === tip) + 1);
      if (isUsed(since, { role, prompt }, done)) continue;
      const begun = known.find((entry): entry is EntryOf<'run-started'> => entry.kind === 'run-started');
      if (begun === undefined) continue;
      count += 1;
      for (const [index, spent] of spentOn(done).entries())
        entries.push({
          ...{ subject: begun.subject, run, actor: spent.reportedModel || role, kind: 'model-failed' },
          key: `${key}/unused/${sha256(canonicalJson(done as unknown as Json)).slice(0, 16)}/${index}`,
          data: { role, model: spent.reportedModel, ...spent, why: 'answer-outdated' },
        });
    }
    if (entries.length > 0) await ledger.appendNew(entries);
    return count;
  }
}
