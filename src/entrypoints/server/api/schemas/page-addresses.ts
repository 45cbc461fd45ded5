/** The addresses of pages. The server answers at them with the same file; the pages read from the address what to show. */
export const pageAddresses = {
  inbox: '/',
  runs: '/runs',
  run: '/runs/:id',
  gate: '/gates/:id',
  fleet: '/fleet',
  ledger: '/ledger',
} as const;

export type PageName = keyof typeof pageAddresses;
