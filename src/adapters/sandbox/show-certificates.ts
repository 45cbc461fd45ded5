/**
 * Certificates of CAs that a person trusts, inside a sandbox: wherever they stand outside, a copy is shown and the variable
 * names it. Only certificates are copied, because a file of them may also hold a key.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { certificateVariables } from '../network/certificate-variables.ts';

const certificate =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/gu;

/** The lists of whole systems are below half a megabyte, and have less than 500 files. */
const largestFile = 8 * 1024 * 1024;
const mostFiles = 2000;

function readCertificates(file: string): string {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined || !facts.isFile() || facts.size > largestFile) return '';
  return (readFileSync(file, 'utf8').match(certificate) ?? []).map((one) => `${one}\n`).join('');
}

function copyFile(from: string, to: string): boolean {
  const text = readCertificates(from);
  if (text !== '') writeFileSync(to, text);
  return text !== '';
}

/** OpenSSL finds certificates in a folder by their names, so they keep them. */
function copyFolder(from: string, to: string): boolean {
  mkdirSync(to);
  const names = readdirSync(from).slice(0, mostFiles);
  return names.map((name) => copyFile(join(from, name), join(to, name))).includes(true);
}

/**
 * Whether a certificate was copied. A file that cannot be read counts as empty: the user's own programs cannot read it
 * either.
 */
function copyAny(from: string, to: string): boolean {
  try {
    return statSync(from).isDirectory() ? copyFolder(from, to) : copyFile(from, to);
  } catch {
    return false;
  }
}

/**
 * The variables with the places inside.
 * @param folder where copies are put
 * @param at where that folder is seen inside
 */
export function showCertificates(
  environment: Readonly<Record<string, string>>,
  folder: string,
  at: string,
): Record<string, string> {
  const shown: Record<string, string> = { ...environment };
  const copies = new Map<string, string | null>();
  for (const name of certificateVariables) {
    const path = environment[name];
    if (path === undefined) continue;
    delete shown[name];
    // A relative path would name another file inside: commands start in a folder of their own.
    if (!isAbsolute(path)) continue;
    if (!copies.has(path)) {
      const copy = `${copies.size}-${basename(path).replaceAll(/[^\w.-]/gu, '_')}`;
      if (copies.size === 0) mkdirSync(folder, { recursive: true });
      copies.set(path, copyAny(path, join(folder, copy)) ? `${at}/${copy}` : null);
    }
    const place = copies.get(path);
    if (typeof place === 'string') shown[name] = place;
  }
  return shown;
}
