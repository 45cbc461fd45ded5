/** Which repository a git remote means. Only host and name are taken: an address may hold a password. */
import { isRepositoryName } from '../../../domain/ledger/subject.ts';

interface Remote {
  readonly host: string;
  /** `owner/name`. */
  readonly name: string;
}

const protocols = ['https:', 'http:', 'ssh:', 'git:', 'git+ssh:'];

function splitAddress(address: string): { host: string; path: string } | null {
  // `git@host:owner/name`, as git itself tells it from an address: no slash before the first colon.
  const short = /^(?:[^@/:\s]+@)?([^@/:\s]+):(?!\/\/)(.+)$/u.exec(address);
  if (short !== null) return { host: short[1] ?? '', path: short[2] ?? '' };
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, pathname } = new URL(address);
  return protocols.includes(protocol) ? { host: hostname, path: pathname } : null;
}

/** Null when it is not the address of a repository on a forge. */
export function parseRemote(address: string): Remote | null {
  const parts = splitAddress(address.trim());
  if (parts === null) return null;
  const name = parts.path.replace(/^\/+|\/+$/gu, '').replace(/\.git$/u, '');
  const host = parts.host.toLowerCase().replace(/^(?:ssh|www)\.(?=github\.com$)/u, '');
  return host !== '' && isRepositoryName(name) ? { host, name } : null;
}
