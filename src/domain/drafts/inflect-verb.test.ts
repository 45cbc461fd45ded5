/** Forms of verbs. */
import { expect, it } from 'vitest';
import { listPresentForms, listVerbForms } from './inflect-verb.ts';

it.each([
  ['reject', ['reject', 'rejects', 'rejecting', 'rejected']],
  ['decline', ['decline', 'declines', 'declining', 'declined']],
  ['disagree', ['disagree', 'disagrees', 'disagreeing', 'disagreed']],
  ['veto', ['veto', 'vetoes', 'vetos', 'vetoing', 'vetoed']],
  ['deny', ['deny', 'denies', 'denying', 'denied']],
  ['delay', ['delay', 'delays', 'delaying', 'delayed']],
  ['dismiss', ['dismiss', 'dismisses', 'dismisss', 'dismissing', 'dismissed']],
  ['stop', ['stop', 'stops', 'stoping', 'stopping', 'stoped', 'stopped']],
  ['cancel', ['cancel', 'cancels', 'canceling', 'cancelling', 'canceled', 'cancelled']],
  ['wait', ['wait', 'waits', 'waiting', 'waited']],
  ['scrap', ['scrap', 'scraps', 'scraping', 'scrapping', 'scraped', 'scrapped']],
])('of %s', (verb, forms) => {
  expect(listVerbForms(verb)).toEqual(forms);
  expect(listPresentForms(verb)).toEqual(forms.filter((form) => !form.endsWith('ed')));
});
