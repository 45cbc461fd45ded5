/** Looks for keys and passwords in what a change adds, by the forms that providers give them. What was found is never repeated. */

export interface FoundSecret {
  readonly path: string;
  readonly line: number;
  readonly kind: string;
}

export const secretForms: readonly (readonly [string, RegExp])[] = [
  ['a GitHub token', /\bgh[oprsu]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{60,}/u],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}/u],
  ['an AWS key', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/u],
  ['a Google key', /\bAIza[0-9A-Za-z_-]{35}/u],
  ['a Google client secret', /\bGOCSPX-[A-Za-z0-9_-]{28}/u],
  ['an Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{20,}/u],
  ['an OpenAI key', /\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|\bsk-[A-Za-z0-9]{48}\b/u],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{34,}\b/u],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]+/u],
  ['a Slack address', /hooks\.slack\.com\/services\/T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]{16,}/u],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}/u],
  ['a SendGrid key', /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/u],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/u],
  ['a PyPI token', /\bpypi-AgE[A-Za-z0-9_-]{50,}/u],
  ['a DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}\b/u],
  ['an Azure key', /\bAccountKey=[A-Za-z0-9+/]{60,}={0,2}/u],
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----/u],
];

/** Enough to find the place; who has more is in the wrong file altogether. */
const most = 20;

/** A path as `diff` writes it, which quotes what is unusual. */
function readPath(header: string): string {
  const path = header.slice(4).replace(/\t$/u, '');
  return path.replace(/^"?b\//u, '').replace(/"$/u, '');
}

/** @param diff a unified diff; only lines that it adds count */
export function findSecrets(diff: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  let path = '';
  let line = 0;
  // Inside a hunk a line that begins with `++ ` looks like a header: how many lines are left tells them apart.
  let oldLeft = 0;
  let newLeft = 0;
  for (const text of diff.split('\n')) {
    if (oldLeft === 0 && newLeft === 0) {
      if (text.startsWith('+++ ')) path = readPath(text);
      const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u.exec(text);
      if (hunk === null) continue;
      oldLeft = Number(hunk[1] ?? 1);
      newLeft = Number(hunk[3] ?? 1);
      line = Number(hunk[2]);
      continue;
    }
    if (text.startsWith('\\')) continue;
    if (text.startsWith('-')) {
      oldLeft -= 1;
      continue;
    }
    newLeft -= 1;
    if (text.startsWith('+')) {
      const kind = secretForms.find(([, form]) => form.test(text))?.[0];
      if (kind !== undefined) found.push({ path, line, kind });
      if (found.length === most) return found;
    } else oldLeft -= 1;
    line += 1;
  }
  return found;
}
