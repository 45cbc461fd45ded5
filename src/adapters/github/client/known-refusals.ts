/**
 * Refusals of GitHub that have one known cause, each with its own words and what to do about it. What is not in this list
 * is explained by its status alone.
 */
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import type { ErrorCode } from '../../../errors.ts';

interface KnownRefusal {
  readonly code: ErrorCode;
  readonly hint: string;
}

interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** As GitHub said it. */
  readonly words: string;
}

/** Where the owner of the token signs in, when GitHub names such a place: only GitHub's own address is shown. */
function readSsoLink(header: string): string | null {
  const link = /\burl=(\S+)/u.exec(header)?.[1] ?? '';
  if (!URL.canParse(link)) return null;
  const { protocol, host, username, password, href } = new URL(link);
  const isGithub = protocol === 'https:' && host === 'github.com' && username === '' && password === '';
  return isGithub ? escapeForLine(href, 500) : null;
}

const permissionNames: Readonly<Record<string, string>> = {
  actions: 'Actions',
  administration: 'Administration',
  checks: 'Checks',
  contents: 'Contents',
  issues: 'Issues',
  merge_queues: 'Merge queues',
  metadata: 'Metadata',
  pull_requests: 'Pull requests',
  statuses: 'Commit statuses',
  workflows: 'Workflows',
};

/** `issues=write,metadata=read; pull_requests=write` as people read it; each alternative is enough. */
export function describeAccepted(header: string): string {
  const alternatives = header.split(';').map((one) =>
    one
      .split(',')
      .flatMap((pair) => {
        const [, name = '', level = ''] = /^\s*([a-z_]+)=(read|write|admin)\s*$/u.exec(pair) ?? [];
        const title = permissionNames[name];
        return title === undefined ? [] : [`${title}: ${level}`];
      })
      .join(' and '),
  );
  return alternatives.filter((one) => one !== '').join(', or ');
}

function noPermission({ headers, words }: Refusal): KnownRefusal | null {
  const by = /^resource not accessible by (integration|personal access token)/iu.exec(words)?.[1];
  if (by === undefined) return null;
  const accepted = describeAccepted(headers.get('x-accepted-github-permissions') ?? '');
  const needed = accepted === '' ? 'docs/github.md lists what is needed' : `GitHub asks for ${accepted}`;
  const whose =
    by.toLowerCase() === 'integration'
      ? 'The App, or the permissions of the job, lack a permission'
      : 'The fine-grained token lacks a permission, or is not for this repository';
  const isChecks = /\bChecks: /u.test(accepted) && by.toLowerCase() !== 'integration';
  const more = isChecks ? ' Fine-grained tokens cannot have it: use a GitHub App or a classic token.' : '';
  return { code: 'forge-forbidden', hint: `${whose}: ${needed}.${more}` };
}

const byWords: readonly {
  readonly statuses: readonly number[];
  readonly words: RegExp;
  readonly refusal: KnownRefusal;
}[] = [
  {
    statuses: [410],
    words: /\bissues (?:are|has been) disabled\b/iu,
    refusal: {
      code: 'forge-issues-disabled',
      hint: 'An administrator turns issues on under Settings, General, Features.',
    },
  },
  {
    statuses: [403],
    words: /\brepository (?:was|is|has been) archived\b/iu,
    refusal: {
      code: 'forge-archived',
      hint: 'The repository is read-only: an administrator can unarchive it under Settings.',
    },
  },
  {
    statuses: [403],
    words: /\binstallation has been suspended\b/iu,
    refusal: {
      code: 'forge-app-refused',
      hint: 'The installation of the App is suspended: its administrator can unsuspend it in the settings of the organisation or account.',
    },
  },
  {
    statuses: [403],
    words: /\bActions is not permitted to create or approve pull requests\b/iu,
    refusal: {
      code: 'forge-forbidden',
      hint: 'An administrator turns on "Allow GitHub Actions to create and approve pull requests" under Settings, Actions, General. Look with: gatewright doctor --actions',
    },
  },
  {
    statuses: [403],
    words: /\bIP allow list\b/iu,
    refusal: {
      code: 'forge-forbidden',
      hint: 'The organisation allows certain addresses only: have an owner add this machine to the IP allow list.',
    },
  },
  {
    statuses: [401, 404],
    words: /^integration not found\b/iu,
    refusal: {
      code: 'forge-app-refused',
      hint: 'There is no App with this number: check GATEWRIGHT_GITHUB_APP_ID against the settings of the App.',
    },
  },
  {
    statuses: [401],
    words: /\bjson web token could not be decoded\b|'Issuer' claim/iu,
    refusal: {
      code: 'forge-app-refused',
      hint: 'The private key does not belong to this App: check GATEWRIGHT_GITHUB_APP_ID and its key, or generate a new key.',
    },
  },
  {
    statuses: [401],
    words: /'Expiration time' claim|'Issued at' claim/iu,
    refusal: {
      code: 'forge-app-refused',
      hint: 'The clock of this machine is wrong: set it, because the requests of an App are signed with the time.',
    },
  },
];

export function findKnownRefusal(refusal: Refusal): KnownRefusal | null {
  const sso = refusal.headers.get('x-github-sso');
  if (refusal.status === 403 && sso !== null && /^required\b/u.test(sso)) {
    const link = readSsoLink(sso);
    const where = link === null ? 'in the settings of the token (Configure SSO)' : `at ${link}`;
    return { code: 'forge-sso-required', hint: `Authorize the token for the organisation ${where}` };
  }
  const known = byWords.find(
    ({ statuses, words }) => statuses.includes(refusal.status) && words.test(refusal.words),
  );
  if (known !== undefined) return known.refusal;
  return refusal.status === 403 ? noPermission(refusal) : null;
}
