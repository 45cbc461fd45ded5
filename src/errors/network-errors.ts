/** Errors about the way to other machines: proxies and certificates. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const networkErrors = {
  'proxy-unreachable': {
    retry: 'later',
    meaning: 'The proxy that a variable names did not answer, or could not reach the host itself.',
    hint: 'Check the address in the variable that the message names, and that the proxy is up. Hosts that are reached without it belong into NO_PROXY.',
  },
  'proxy-refused': {
    retry: 'after-human',
    meaning: 'The proxy that a variable names refuses the connection, wants a login, or cannot be used.',
    hint: 'A login is written as http://USER:PASSWORD@HOST:PORT, with special characters as %XX. Ask who runs the proxy to allow the host, or put the host into NO_PROXY if it is reached without.',
  },
  'certificate-rejected': {
    retry: 'after-human',
    meaning: 'A server showed a certificate that is not for it or that nobody trusted here has signed.',
    hint: 'Where a proxy or a firewall opens TLS connections, put the certificate of its CA into a PEM file and name that file in NODE_EXTRA_CA_CERTS, and in GIT_SSL_CAINFO for git. What each host shows is told by: gatewright doctor',
  },
} as const satisfies Record<string, CatalogueEntry>;
