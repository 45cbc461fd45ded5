import { describe, expect, it } from 'vitest';
import { placeOfDelivery, relatePlace } from './delivery-place.ts';

const home = { name: 'acme/project', id: '7' };
const delivery = (full_name: unknown, id?: unknown) => ({ repository: { full_name, id } });

describe('the repository of a delivery', () => {
  it.each([
    ['ours', delivery('acme/project', 7)],
    ['ours', delivery('Acme/Project', 7)],
    ['ours', delivery('acme/project')],
    ['renamed', delivery('acme/renamed', 7)],
    ['renamed', delivery('elsewhere/project', 7)],
    ['name-taken', delivery('acme/project', 8)],
    ['another', delivery('acme/other', 8)],
    ['another', delivery('acme/other')],
    ['another', delivery(7, 7)],
    ['another', { organization: {} }],
    ['another', null],
    ['another', 'acme/project'],
  ])('is %s', (expected, payload) => expect(relatePlace(placeOfDelivery(payload), home)).toBe(expected));

  it.each(['7', 7.5, 2 ** 60, null])('has no number in %j', (id) =>
    expect(placeOfDelivery(delivery('acme/project', id))).toEqual({ name: 'acme/project', id: null }),
  );
});
