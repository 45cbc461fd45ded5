/** Where git goes, for every kind of GitHub. */
import { expect, it } from 'vitest';
import { webBaseOf } from './web-base.ts';

it.each([
  ['https://api.github.com', 'https://github.com'],
  ['https://api.octo.ghe.com', 'https://octo.ghe.com'],
  ['https://github.acme.example/api/v3', 'https://github.acme.example'],
  ['https://api.acme.example/api/v3', 'https://api.acme.example'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
])('%s → %s', (apiUrl, web) => {
  expect(webBaseOf(apiUrl)).toBe(web);
});
