/** Which page an address shows. The table is the server's own, so that no link leads to what it does not answer. */
import { type PageName, pageAddresses } from '../../entrypoints/server/api/schemas/page-addresses.ts';

export interface Place {
  readonly page: PageName | 'unknown';
  /** What stands for `:id`; empty where there is none. */
  readonly id: string;
  readonly query: URLSearchParams;
}

function matchPath(pattern: string, path: string): string | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  let id = '';
  for (const [index, part] of wanted.entries()) {
    const found = given[index] ?? '';
    if (part === ':id' && found !== '') id = found;
    else if (part !== found) return null;
  }
  return id;
}

export function readAddress(path: string, search: string): Place {
  const query = new URLSearchParams(search);
  for (const [page, pattern] of Object.entries(pageAddresses)) {
    const id = matchPath(pattern, path);
    if (id !== null) return { page: page as PageName, id, query };
  }
  return { page: 'unknown', id: '', query };
}

export function addressOfRun(id: string): string {
  return pageAddresses.run.replace(':id', id);
}

export function addressOfGate(id: string): string {
  return pageAddresses.gate.replace(':id', id);
}

export function addressOfLedger(subject: string): string {
  return `${pageAddresses.ledger}?${new URLSearchParams({ subject })}`;
}

/** Where what a person typed leads; null when it says nothing. */
export function findPlace(typed: string): string | null {
  const text = typed.trim();
  if (/^G[0-9A-HJKMNP-TV-Z]{6}$/u.test(text)) return addressOfGate(text);
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/u.test(text)) return addressOfRun(text);
  const [, number] = /^#?(\d{1,9})$/u.exec(text) ?? [];
  if (number !== undefined) return `${pageAddresses.runs}?number=${Number(number)}`;
  return /^[^\s/]+\/[^\s/:#]+[:#]\S+$/u.test(text) ? addressOfLedger(text) : null;
}
