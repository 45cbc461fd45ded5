/** What went wrong with a connection, in words, from the codes of Node, its TLS and its `fetch`. */
import { type ErrorCode, GatewrightError, systemErrorCode } from '../../errors.ts';
import { blockedPortCode } from './blocked-ports.ts';

interface ConnectionProblem {
  /** Completes "no answer: …". */
  readonly what: string;
  /** What a person can do about it; empty when nothing better is known than trying again. */
  readonly hint: string;
  readonly isCertificate: boolean;
}

const dnsHint =
  'Check the name and the name servers of this machine. Where the internet is reached through a proxy only, set HTTPS_PROXY.';
const wayHint =
  'Check the network of this machine. Where the internet is reached through a proxy only, set HTTPS_PROXY.';
const cutHint =
  'A firewall or a proxy in between may do that; look with: gatewright doctor. Else try again in a moment.';

const problems: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOTFOUND: ['the name does not resolve', dnsHint],
  EAI_AGAIN: ['the name server did not answer', dnsHint],
  ECONNREFUSED: [
    'the connection was refused',
    'Check the address and the port, and that the server is up; look with: gatewright doctor',
  ],
  ECONNRESET: ['the connection was cut off', cutHint],
  EPIPE: ['the connection was cut off', cutHint],
  UND_ERR_SOCKET: ['the connection was cut off', cutHint],
  ETIMEDOUT: ['no connection was made in time', wayHint],
  UND_ERR_CONNECT_TIMEOUT: ['no connection was made in time', wayHint],
  UND_ERR_HEADERS_TIMEOUT: ['it took too long', ''],
  UND_ERR_BODY_TIMEOUT: ['it took too long', ''],
  ENETUNREACH: ['this machine has no route to it', wayHint],
  EHOSTUNREACH: ['this machine has no route to it', wayHint],
  EADDRNOTAVAIL: ['this machine has no route to it', wayHint],
  [blockedPortCode]: [
    'fetch never connects to this port, which belongs to another protocol',
    'Let the server listen on another port, and change the port in the address.',
  ],
  ENOTSMTP: ['it does not speak SMTP', 'Check the host and the port.'],
  EPROTO: [
    'it does not speak TLS',
    'Check the address and the port; a server without TLS has an http:// one.',
  ],
};

const certificates: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by a CA that this machine does not trust',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is signed by a CA that this machine does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by a CA that this machine does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by a CA that this machine does not trust',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  CERT_REJECTED: 'its certificate is not trusted',
  INVALID_CA: 'its certificate is signed by a certificate that is not a CA',
  INVALID_PURPOSE: 'its certificate is not one of a server',
  PATH_LENGTH_EXCEEDED: 'its certificate is signed by a certificate that is not a CA',
  HOSTNAME_MISMATCH: 'its certificate is for another name',
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is wrong',
  CERT_CHAIN_TOO_LONG: 'its chain of certificates is too long',
};

const clockHint = 'Check the clock of this machine, then the certificate of the server.';

/** The names in a certificate that does not fit the host; they come from a server, so only plain names are believed. */
function namesIn(error: Error): string {
  const { cert } = error as { cert?: { subjectaltname?: unknown } };
  const names = String(cert?.subjectaltname ?? '')
    .split(', ')
    .map((one) => /^(?:DNS|IP Address):([\w.*:-]{1,100})$/u.exec(one)?.[1] ?? '')
    .filter((name) => name !== '');
  return names.length === 0 ? '' : ` (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''})`;
}

function explainCertificate(error: Error): ConnectionProblem | null {
  const code = systemErrorCode(error);
  const known = certificates[code];
  if (known === undefined) return null;
  const what = `${known}${code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? namesIn(error) : ''}`;
  const isAboutTime = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
  return { what, hint: isAboutTime ? clockHint : '', isCertificate: true };
}

/** Errors in the order in which one caused the other, the outermost first. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let one = error; one instanceof Error; one = one.cause) yield one;
}

/** From codes alone: a message may hold anything. */
export function connectionProblem(error: unknown): ConnectionProblem {
  for (const one of causesOf(error)) {
    if (one.name === 'TimeoutError') return { what: 'it took too long', hint: '', isCertificate: false };
    const code = systemErrorCode(one);
    const certificate = explainCertificate(one);
    if (certificate !== null) return certificate;
    const known = problems[code] ?? (/^ERR_SSL_/u.test(code) ? problems.EPROTO : undefined);
    if (known !== undefined) return { what: known[0], hint: known[1], isCertificate: false };
    if (one.name === 'HTTPParserError' || /^HPE_/u.test(code))
      return {
        what: 'it does not speak HTTP',
        hint: 'Check the address and the port.',
        isCertificate: false,
      };
    if (/^[A-Z][A-Z\d_]+$/u.test(code)) return { what: code, hint: '', isCertificate: false };
  }
  return { what: 'the connection failed', hint: '', isCertificate: false };
}

/** @param setting the setting that holds the address; empty when no setting does */
export function blockedPortHint(setting: string): string {
  const hint = problems[blockedPortCode]?.[1] ?? '';
  return setting === '' ? hint : `${hint.replace(/\.$/u, '')}: it is set by ${setting}.`;
}

/**
 * The error for an answer that never came.
 * @param said the beginning of its message
 * @param setting the setting that holds the address; empty when no setting does
 */
export function explainNoAnswer(
  error: unknown,
  code: ErrorCode,
  said: string,
  setting = '',
): GatewrightError {
  const known = [...causesOf(error)].find((one) => one instanceof GatewrightError);
  if (known !== undefined) return known;
  if ([...causesOf(error)].some((one) => systemErrorCode(one) === blockedPortCode)) {
    const { what } = connectionProblem(error);
    return new GatewrightError('port-blocked', `${said}: ${what}.`, { hint: blockedPortHint(setting) });
  }
  const { what, hint, isCertificate } = connectionProblem(error);
  const more = hint === '' ? {} : { hint };
  return new GatewrightError(isCertificate ? 'certificate-rejected' : code, `${said}: ${what}.`, more);
}

/** A slow answer is not among them: it may still come, and is paid for. */
const cutOff: ReadonlySet<string> = new Set([
  ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
  ...['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/** Whether a connection was reset, or not made in time: what a moment later may well work. */
export function wasCutOff(error: unknown): boolean {
  return [...causesOf(error)].some((one) => cutOff.has(systemErrorCode(one)));
}

/** The code of a look-up that failed; empty when something else did. */
export function lookupFailure(error: unknown): string {
  const codes = [...causesOf(error)].map(systemErrorCode);
  return codes.find((code) => code === 'EAI_AGAIN' || code === 'ENOTFOUND') ?? '';
}
