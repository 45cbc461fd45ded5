/** What a merge rested on, by the ledger: for the run that writes it down, and for people who ask afterwards. */
import type { MergeGrounds } from '../domain/ledger/fleet-entries.ts';
import { issueSubject } from '../domain/ledger/subject.ts';
import type { Ledger } from '../ports/ledger.ts';

/** However often one head is granted anew, the search for a free key ends. */
const mostGrants = 100;

/** The newest grounds of a merge of that head, null when none were written down; and the key for the next ones. */
export async function findMergeGrounds(
  ledger: Pick<Ledger, 'find'>,
  repository: string,
  { number, head }: Pick<MergeGrounds, 'number' | 'head'>,
): Promise<{ readonly grounds: MergeGrounds | null; readonly nextKey: string }> {
  const first = `${issueSubject(repository, number)}@${head}`;
  let grounds: MergeGrounds | null = null;
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? first : `${first}/${count}`;
    const found = await ledger.find('merge-granted', key);
    if (found === null || count === mostGrants) return { grounds: found?.data ?? grounds, nextKey: key };
    grounds = found.data;
  }
}
