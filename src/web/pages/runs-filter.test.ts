/** An address may hold anything; the API is asked for what it knows. */
import { expect, it } from 'vitest';
import { runsQuery } from '../../entrypoints/server/api/schemas/runs.ts';
import { howToBegin, readFilter, workflows } from './runs-filter.ts';

it.each([
  ['state=open&workflow=agent&number=12', 'state=open&workflow=agent&number=12'],
  ['state=bogus&number=12', 'number=12'],
  ['number=abc&workflow=', ''],
  ['number=0&number=1', ''],
  ['number=1234567890&subject=', ''],
  ['limit=7&before=x&page=2', ''],
  ['subject=local/project:a', 'subject=local%2Fproject%3Aa'],
])('%s asks for %j', (query, filter) => {
  const found = readFilter(new URLSearchParams(query));
  expect(found.toString()).toBe(filter);
  expect(runsQuery.safeParse(Object.fromEntries(found)).success).toBe(true);
});

it.each(workflows)('the API knows the kind %s', (workflow) => {
  expect(runsQuery.safeParse({ workflow }).success).toBe(true);
});

it.each([
  ['', 'gatewright issue --brief ideas/active/my-idea.md'],
  ['workflow=loop&number=7', 'gatewright loop plan 7'],
  ['workflow=pipeline', 'gatewright solve 1'],
  ['workflow=lld', 'gatewright lld 1'],
  ['workflow=agent', null],
])('a run of %j begins with %s', (filter, command) => {
  expect(howToBegin(new URLSearchParams(filter)).command).toBe(command);
});
