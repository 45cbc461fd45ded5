/** Errors about the way to other machines: proxies, certificates and ports. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const networkErrors = {
  'proxy-unreachable': {
    retry: 'later',
    meaning: 'The proxy that a variable names did not answer, or could not reach the host itself.',
    hint: 'Check the address in the variable that the message names, and that the proxy is up. List hosts that need no proxy in NO_PROXY.',
  },
  'proxy-refused': {
    retry: 'after-human',
    meaning: 'The proxy that a variable names refuses the connection, requires a login, or cannot be used.',
    hint: 'Write a login as http://USER:PASSWORD@HOST:PORT, with special characters as %XX. Ask the administrator of the proxy to allow the host, or list the host in NO_PROXY if it needs no proxy.',
  },
  'certificate-rejected': {
    retry: 'after-human',
    meaning: 'The certificate of a server is for another name, or no trusted CA has signed it.',
    hint: 'Where a proxy or a firewall opens TLS connections, put the certificate of its CA into a PEM file and name that file in NODE_EXTRA_CA_CERTS, and in GIT_SSL_CAINFO for git. See the certificate of each host with: gatewright doctor',
  },
  'port-blocked': {
    retry: 'after-human',
    meaning: 'The address of a server names a port that `fetch` never connects to, such as 9 or 6000.',
    hint: 'Let the server listen on another port, and change the port in the setting with its address. docs/network.md lists the ports.',
  },
} as const satisfies Record<string, CatalogueEntry>;
