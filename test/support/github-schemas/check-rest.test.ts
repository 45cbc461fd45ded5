import { afterEach, describe, expect, it } from 'vitest';
import { GithubServer } from '../github-server.ts';
import { checkRest, type RestExchange } from './check-rest.ts';
import { takeViolations } from './violations.ts';

const label = {
  ...{ id: 1, node_id: 'LA_1', url: 'https://api.github.com/repos/o/r/labels/bug', name: 'bug' },
  ...{ description: null, color: 'ededed', default: false },
};
const exchange: RestExchange = {
  ...{ method: 'POST', path: '/repos/o/r/labels', query: new URLSearchParams(), body: { name: 'bug' } },
  ...{ status: 201, answer: label },
};

function complaints(change: Partial<RestExchange>): string[] {
  checkRest({ ...exchange, ...change });
  return takeViolations();
}

afterEach(() => void takeViolations());

describe('what goes over the wire', () => {
  it('is left alone when it fits', () => {
    expect(complaints({})).toEqual([]);
    expect(complaints({ path: '/repositories/17/labels' })).toEqual([]);
    expect(complaints({ status: 401, answer: { message: 'Bad credentials' } })).toEqual([]);
  });

  const { color: _, ...colourless } = label;
  it.each<[string, Partial<RestExchange>, RegExp]>([
    ['an address that GitHub does not have', { path: '/repos/o/r/labelz' }, /is nothing that GitHub has/u],
    ['a field that is missing', { answer: colourless }, /answered 201: .*required property 'color'/u],
    ['a field of another type', { answer: { ...label, id: '1' } }, /answered 201: \/id must be integer/u],
    ['null where there is none', { answer: { ...label, name: null } }, /\/name must be string: null/u],
    ['an address that is none', { answer: { ...label, url: 'labels' } }, /\/url must match format "uri"/u],
    [
      'a status that it does not know',
      { status: 409, answer: { message: '' } },
      /answered 409, and only knows/u,
    ],
    ['a body that lacks what is needed', { body: {} }, /asked with a body: .*required property 'name'/u],
    ['a body with what nobody takes', { body: { name: 'x', colour: 'f' } }, /has "colour"/u],
    ['no body', { body: undefined }, /asked without a body/u],
    [
      'a query that nobody takes',
      { query: new URLSearchParams('x=1') },
      /asked with "x", which it does not take/u,
    ],
    [
      'a word that is not on the list',
      {
        method: 'GET',
        path: '/repos/o/r/issues',
        body: undefined,
        status: 200,
        answer: [],
        query: new URLSearchParams('state=shut'),
      },
      /asked with "state": .*allowed values \["open","closed","all"\]/u,
    ],
  ])('is told of when it is %s', (_, change, words) => {
    const found = complaints(change);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(words);
  });
});

it('the test GitHub holds what it is asked to GitHub’s description', async () => {
  const server = await GithubServer.start();
  try {
    server.addUser('alice', 'a-token');
    server.state.addRepository('acme/project', { alice: 'admin' });
    const headers = { authorization: 'token a-token' };
    await fetch(`${server.url}/repos/acme/project/issues?state=shut`, { headers });
    expect(takeViolations()).toEqual([
      expect.stringMatching(/^GET \/repos\/\{owner\}\/\{repo\}\/issues: asked with "state"/u),
    ]);
    const answer = await fetch(`${server.url}/repos/acme/project/issues`, { headers });
    expect([answer.status, takeViolations()]).toEqual([200, []]);
  } finally {
    await server.close();
  }
});
