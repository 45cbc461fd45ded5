/** The name of a page, as the tab shows it. */
import { plainText } from '../parts/plain-text.ts';
import type { Place } from '../routing/read-address.ts';

const names: Readonly<Record<Place['page'], string>> = {
  inbox: 'Inbox',
  runs: 'Runs',
  run: 'Run',
  gate: 'Gate',
  fleet: 'Fleet',
  ledger: 'Ledger',
  unknown: 'No such page',
};

export function namePlace({ page, id }: Pick<Place, 'page' | 'id'>): string {
  return id === '' ? names[page] : `${names[page]} ${plainText(id)}`;
}
