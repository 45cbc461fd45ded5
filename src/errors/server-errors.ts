/** Errors about requests to the server: who may ask, and what a request has to look like. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const serverErrors = {
  'server-cannot-listen': {
    retry: 'after-human',
    meaning: 'The address or the port cannot be used.',
    hint: 'Choose another with --port or --host; another program may use it.',
  },
  'server-not-loopback': {
    retry: 'after-human',
    meaning: 'The server was asked to give its pages and its API to other machines, which needs tokens.',
    hint: 'Leave out --host. From another machine, reach it through SSH: ssh -L 8787:localhost:8787 HOST',
  },
  'server-busy': {
    retry: 'later',
    meaning:
      'Deliveries were turned away, because requests whose signature was not checked yet used all the memory or connections.',
    hint: 'Redeliver the failed deliveries from their list on GitHub. If this happens again, let only GitHub reach the port, with a proxy or a firewall.',
  },
  'server-absent': {
    retry: 'after-human',
    meaning: 'No server runs at that address.',
    hint: 'Start it with: gatewright serve. Name its port with --port if it is not 8787.',
  },
  'session-missing': {
    retry: 'after-human',
    meaning: 'The request belongs to no open session.',
    hint: 'Open the link that `gatewright serve` showed. For a new one run: gatewright serve --link',
  },
  'link-spent': {
    retry: 'after-human',
    meaning:
      'The link was used before, is older than ten minutes, or is of another server or an earlier start.',
    hint: 'Make a new one with: gatewright serve --link',
  },
  'host-unknown': {
    retry: 'never',
    meaning: 'The request names a host that is not the address of this server.',
    hint: 'Use the address that `gatewright serve` shows, with its port.',
  },
  'request-foreign': {
    retry: 'never',
    meaning:
      'The request comes from another site, or does not show that it comes from a page of this server.',
    hint: 'Send it from a page of this server, with the token of the session in x-gatewright-csrf.',
  },
  'request-invalid': {
    retry: 'never',
    meaning: 'The request does not have the form that the API describes.',
    hint: 'Compare it with /api/openapi.json.',
  },
  'request-too-large': {
    retry: 'never',
    meaning: 'The body of the request is larger than the server takes, or does not say how large it is.',
    hint: 'Send at most 64 KB, with a content-length.',
  },
  'request-limit': {
    retry: 'later',
    meaning: 'Too many requests came in a short time, or too many pages listen at once.',
    hint: 'Wait as many seconds as retry-after says.',
  },
  'route-unknown': {
    retry: 'never',
    meaning: 'The server has nothing at that address, or not for that method.',
    hint: 'See what it has in /api/openapi.json.',
  },
} as const satisfies Record<string, CatalogueEntry>;
