/** Whether a file that a variable names holds a certificate: a wrong one is passed over by most programs without a word. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

const largest = 16 * 1024 * 1024;
const block = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[\s\S]*?-----END \1-----/gu;

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}

/** Null when that cannot be told: it is a folder, too large, or cannot be read. */
export function holdsCertificate(path: string): boolean | null {
  try {
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > largest) return null;
    return [...readFileSync(path, 'latin1').matchAll(block)].some(([text]) => isCertificate(text));
  } catch {
    return null;
  }
}
