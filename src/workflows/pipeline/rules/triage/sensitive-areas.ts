/**
 * Areas in which no agent works without a person: found by the words of an issue and by the paths that it names. A word
 * counts wherever it stands, also behind a "no": a person sees at once that nothing is touched, and an agent may not.
 */
import { judgePath } from '../../../../domain/changes/path-class.ts';
import { foldLetters } from '../../../../domain/drafts/fold-words.ts';
import { inertCode } from '../../../../domain/text/inert-markdown.ts';
import { isSecretPath } from '../secret-path.ts';

interface Area {
  readonly name: string;
  /** Folded; a blank is also a hyphen or a line end, and `*` is the rest of a word. */
  readonly phrases: readonly string[];
  readonly isPath?: (path: string) => boolean;
}

const list = (text: string): string[] =>
  text
    .split(/[,\n]/u)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');

const fits =
  (form: RegExp) =>
  (path: string): boolean =>
    form.test(path);

const areas: readonly Area[] = [
  {
    name: 'authentication',
    phrases: list(`
      auth, authn, authz, authenticat*, authori[sz]*, oauth, oauth2, oidc, openid, saml, sso, jwt, jwts, login, logins
      logout, sign in, signin, sign up, signup, password*, passphrase*, 2fa, mfa, totp, session cookie*
      session token*, passwort*, passworter*, anmeldung*, anmelden
    `),
  },
  {
    name: 'cryptography',
    phrases: list(`
      crypto, cryptograph*, encrypt*, decrypt*, cipher*, tls, ssl, x509, private key*, public key*, hmac, bcrypt, argon2
      signing key*, verschlussel*, entschlussel*, kryptograph*
    `),
  },
  {
    name: 'permissions',
    phrases: list(`
      permission*, privilege*, rbac, acl, acls, access control*, access right*, role based, sudo, admin right*
      superuser*, berechtigung*, zugriffsrecht*
    `),
  },
  {
    name: 'secrets',
    phrases: list(`
      secret, secrets, credential*, api key*, apikey*, access token*, bearer token*, refresh token*, auth token*
      zugangsdaten, geheimnis*
    `),
    isPath: isSecretPath,
  },
  {
    name: 'payment',
    phrases: list(`
      payment*, billing, invoice*, credit card*, refund*, payout*, stripe, paypal, chargeback*, zahlung*, rechnung*
    `),
    isPath: fits(/(?:^|[/._-])(?:payments?|billing|invoices?|stripe|paypal|refunds?|payouts?)(?:[/._-]|$)/iu),
  },
  {
    name: 'the database schema',
    phrases: list(`
      migration, migrations, database schema*, db schema*, schema change*, alter table, create table, drop table
      truncate table, add column, drop column, new column, foreign key*, datenbankschema*, datenbankmigration*
    `),
  },
  {
    name: 'infrastructure and continuous integration',
    phrases: list(`
      ci, cd pipeline*, continuous integration, continuous delivery, continuous deployment, github action*
      github workflow*, workflow file*, release workflow*, deployment, deployments, infrastructure, terraform, ansible
      kubernetes, k8s, helm chart*, dockerfile*, docker compose, infrastruktur
    `),
    isPath: fits(
      /(?:^|\/)(?:terraform|k8s|kubernetes|helm|charts|infra|infrastructure|deploy|deployments?|ansible|pulumi)\/|(?:^|\/)(?:dockerfile[^/]*|docker-compose[^/]*|containerfile[^/]*|[^/]+\.(?:tf|tfvars|hcl|dockerfile))$/iu,
    ),
  },
  {
    name: 'a public API',
    phrases: list(`
      breaking change*, public api*, break* the api, api break*, backward* compatib*, backward* incompatib*
      incompatible change*, major version bump, remove* the endpoint, remove* endpoint*, deprecat*
    `),
  },
  {
    name: 'third-party integrations',
    phrases: list(`
      third part*, 3rd part*, external api*, external service*, integrate with, integrates with, integration with
      webhook*, drittanbieter*
    `),
  },
  {
    name: 'the licence',
    phrases: list(
      'license, licenses, licensed, licence, licences, licensing, relicens*, relicenc*, copyleft, gpl, agpl, lgpl, lizenz*',
    ),
    isPath: fits(/(?:^|\/)(?:licen[cs]es?|copying|notice)(?:[.-][^/]*)?$/iu),
  },
  {
    name: 'the architecture',
    phrases: list('architecture, architectural, rearchitect*, re architect*, architektur'),
  },
  { name: 'a hot path', phrases: list('hot path*, performance critical, latency critical') },
];

function toExpression(phrases: readonly string[]): RegExp {
  const words = phrases.map((phrase) => phrase.replaceAll('*', '[a-z]*').replaceAll(' ', '[ -]'));
  return new RegExp(`(?<![a-z0-9_])(?:${words.join('|')})(?![a-z0-9_])`, 'u');
}

const compiled = areas.map((area) => ({ ...area, words: toExpression(area.phrases) }));

/** Classes of paths that are sensitive as a whole, whatever area they are of. */
function classOf(path: string): string | null {
  const { class: one, what } = judgePath(path);
  return one === 'steering' || one === 'delicate' ? what : null;
}

/** @param text what the issue says, without paths and addresses */
export function findSensitiveWords(text: string): string[] {
  const folded = foldLetters(text).replace(/[\s‐‑–—]+/gu, ' ');
  return compiled.flatMap(({ name, words }) => {
    const [word] = words.exec(folded) ?? [];
    return word === undefined ? [] : [`It concerns ${name}: it says “${word}”.`];
  });
}

/** At most this many paths are named for an area. */
const mostPaths = 3;

export function findSensitivePaths(paths: readonly string[]): string[] {
  const byArea = new Map<string, string[]>();
  for (const path of paths) {
    const area = compiled.find((one) => one.isPath?.(path) === true)?.name ?? classOf(path);
    if (area !== null) byArea.set(area, [...(byArea.get(area) ?? []), path]);
  }
  return [...byArea].map(([area, found]) => {
    const shown = found.slice(0, mostPaths).map((path) => inertCode(path));
    const rest = found.length - shown.length;
    return `It concerns ${area}: it names ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
  });
}
