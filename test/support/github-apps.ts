/** GitHub Apps of the small GitHub: signed requests of the App itself, and tokens of its installations that end. */

import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import type { Permission } from '../../src/ports/forge/forge.ts';
import { type Answer, created, notFound, ok, Refusal } from './github-answer.ts';
import type { Documented } from './github-documented.ts';
import { longAgo, showUser } from './github-repository-shape.ts';

export interface StoredApp {
  readonly id: number;
  readonly slug: string;
  /** PEM, in the form in which GitHub hands it out. */
  readonly privateKey: string;
  readonly installation: number;
  permissions: Record<string, string>;
  readonly repositories: Set<string>;
  /** How long a token is good for. */
  tokenSeconds: number;
}

interface InstallationToken {
  readonly app: StoredApp;
  readonly endsAt: number;
}

export class GithubApps {
  readonly #apps: { readonly app: StoredApp; readonly publicKey: KeyObject }[] = [];
  readonly #tokens = new Map<string, InstallationToken>();

  add(slug: string, repositories: readonly string[], permissions: Record<string, string>): StoredApp {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const app: StoredApp = {
      id: 7000 + this.#apps.length,
      slug,
      privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      installation: 900 + this.#apps.length,
      permissions,
      repositories: new Set(repositories),
      tokenSeconds: 3600,
    };
    this.#apps.push({ app, publicKey: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })) });
    return app;
  }

  /** All tokens that were ever given out: none of them may be seen anywhere. */
  get tokens(): string[] {
    return [...this.#tokens.keys()];
  }

  /** Ends all tokens at once, whatever they said about themselves. */
  revokeTokens(): void {
    for (const [token, one] of this.#tokens) this.#tokens.set(token, { ...one, endsAt: 0 });
  }

  findByToken(token: string): StoredApp | null {
    const found = this.#tokens.get(token);
    return found !== undefined && found.endsAt > Date.now() ? found.app : null;
  }

  /** The App that signed a JWT, when it is one that GitHub takes: for ten minutes at most. */
  #verify(token: string): StoredApp {
    const [head = '', body = '', signature = ''] = token.split('.');
    const bad = new Refusal(401, 'A JSON web token could not be decoded');
    if (signature === '') throw bad;
    const { iat, exp, iss } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, number>;
    const found = this.#apps.find(({ app }) => String(app.id) === String(iss));
    const isSigned =
      found !== undefined &&
      verify(
        'RSA-SHA256',
        Buffer.from(`${head}.${body}`),
        found.publicKey,
        Buffer.from(signature, 'base64url'),
      );
    const now = Date.now() / 1000;
    if (
      found === undefined ||
      !isSigned ||
      (exp ?? 0) < now ||
      (exp ?? 0) - now > 600 ||
      (iat ?? 0) > now + 1
    )
      throw bad;
    return found.app;
  }

  /** Null for what is no request of an App. */
  answer(method: string, path: readonly string[], token: string): Answer | null {
    const isApp = path[0] === 'app';
    const isLookup = path[0] === 'repos' && path[3] === 'installation';
    if (!isApp && !isLookup) return null;
    const app = this.#verify(token);
    const [owner = ''] = [...app.repositories][0]?.split('/') ?? [];
    const installation = {
      id: app.installation,
      app_id: app.id,
      app_slug: app.slug,
      account: showUser(owner),
      ...{ target_id: showUser(owner).id, target_type: 'User' },
      repository_selection: 'selected',
      permissions: app.permissions,
      access_tokens_url: `https://api.github.com/app/installations/${app.installation}/access_tokens`,
      repositories_url: 'https://api.github.com/installation/repositories',
      html_url: `https://github.com/settings/installations/${app.installation}`,
      ...{ events: [], single_file_name: null, suspended_at: null, suspended_by: null },
      ...{ created_at: longAgo, updated_at: longAgo },
    } satisfies Documented['installation'];
    if (isLookup) {
      if (!app.repositories.has(`${path[1]}/${path[2]}`)) throw notFound();
      return ok(installation);
    }
    if (path.length === 1)
      return ok({
        id: app.id,
        node_id: `A_${app.id}`,
        slug: app.slug,
        name: app.slug,
        owner: showUser(owner),
        description: null,
        external_url: 'https://example.com',
        html_url: `https://github.com/apps/${app.slug}`,
        permissions: app.permissions,
        ...{ events: [], created_at: longAgo, updated_at: longAgo },
      } satisfies Documented['app']);
    if (path[1] !== 'installations' || path[2] !== String(app.installation)) throw notFound();
    if (path[3] !== 'access_tokens') return ok(installation);
    if (method !== 'POST') throw notFound();
    // The newer form: the number of the App and a signed part, several hundred letters long.
    const serial = String(this.#tokens.size).padStart(20, '0');
    const issued = `ghs_${app.id}_eyJ0eXAiOiJKV1Qi.${app.slug}canary${serial}.${'Ab-_9'.repeat(60)}`;
    const endsAt = Date.now() + app.tokenSeconds * 1000;
    this.#tokens.set(issued, { app, endsAt });
    return created({
      token: issued,
      expires_at: new Date(endsAt).toISOString().replace(/\.\d+Z$/u, 'Z'),
      permissions: app.permissions,
      repository_selection: 'selected',
    } satisfies Documented['installationToken']);
  }
}

/** What an installation amounts to for the rules about people. */
export function roleOfApp(app: StoredApp, repository: string): Permission {
  if (!app.repositories.has(repository)) return 'none';
  if (app.permissions.contents === 'write') return 'write';
  return app.permissions.issues === 'write' ? 'triage' : 'read';
}
