import assert from 'node:assert/strict';
import test from 'node:test';
import { reportRows } from '../src/report.mjs';

test('a report holds the rows of its region, the largest amount first', () => {
  const sales = [
    { region: 'north', product: 'tea', amount: 2 },
    { region: 'south', product: 'tea', amount: 9 },
    { region: 'north', product: 'coffee', amount: 5 },
  ];
  assert.deepEqual(
    reportRows(sales, 'north').map(({ product }) => product),
    ['coffee', 'tea'],
  );
});
