import { describe, expect, it } from 'vitest';
import { pageAddresses } from '../../entrypoints/server/api/schemas/page-addresses.ts';
import { addressOfGate, addressOfLedger, addressOfRun, findPlace, readAddress } from './read-address.ts';

const run = '01M7RZC22KP0QXX7VY5BGMXVYS';

describe('an address', () => {
  it('shows a page for each that the server answers at', () => {
    for (const [page, address] of Object.entries(pageAddresses))
      expect(readAddress(address.replace(':id', 'X'), '').page).toBe(page);
  });

  it('names what the page is about', () => {
    expect(readAddress(addressOfRun(run), '')).toMatchObject({ page: 'run', id: run });
    expect(readAddress(addressOfGate('GGQ57FZ'), '')).toMatchObject({ page: 'gate', id: 'GGQ57FZ' });
    const [path = '', search = ''] = addressOfLedger('acme/reports#7&after=3').split('?');
    expect(readAddress(path, search).query.get('subject')).toBe('acme/reports#7&after=3');
  });

  it.each(['/run', '/runs/', '/runs/a/b', '/gates', '/gates/', '/ledger/x', '//', '/Runs'])(
    'that is none of ours shows no page: %s',
    (path) => {
      expect(readAddress(path, '').page).toBe('unknown');
    },
  );
});

describe('what a person types', () => {
  it.each([
    ['12', '/runs?number=12'],
    [' #0012 ', '/runs?number=12'],
    ['GGQ57FZ', '/gates/GGQ57FZ'],
    [run, `/runs/${run}`],
    ['acme/reports#7', '/ledger?subject=acme%2Freports%237'],
    ['acme/reports:export-csv', '/ledger?subject=acme%2Freports%3Aexport-csv'],
  ])('leads somewhere: %s', (typed, address) => {
    expect(findPlace(typed)).toBe(address);
  });

  it.each(['', 'export', '#', '12345678901', 'javascript:alert(1)', '//evil.example/x', '../api'])(
    'leads nowhere: %s',
    (typed) => {
      expect(findPlace(typed)).toBeNull();
    },
  );
});
