/** Who we are to GitHub: the owner of a token, or an installation of a GitHub App whose tokens last an hour. */
import { createPrivateKey } from 'node:crypto';
import { App, type Octokit } from 'octokit';
import { z } from 'zod';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import { hasStatus, refusalWords } from './explain-github-error.ts';

export interface TokenSettings {
  readonly kind: 'token';
  readonly token: string;
}

export interface AppSettings {
  readonly kind: 'app';
  readonly id: string;
  /** PEM. */
  readonly privateKey: string;
  /** Null: the one of `repository` is looked up. */
  readonly installation: number | null;
  readonly repository: string;
}

export interface GithubCredential {
  readonly kind: 'token' | 'app';
  /** What only the owner knows: caches are locked with it, so that two owners never share one. */
  readonly lock: string;
  /** Everything that must appear nowhere. Grows as tokens are renewed. */
  readonly secrets: readonly string[];
  token(): Promise<string>;
  /** Called when GitHub refused a token: whether there is another one to try with. */
  renew(refused: string): Promise<boolean>;
}

export class TokenCredential implements GithubCredential {
  readonly kind = 'token';
  readonly lock: string;
  readonly secrets: readonly string[];

  constructor({ token }: TokenSettings) {
    this.lock = token;
    this.secrets = [token];
  }

  async token(): Promise<string> {
    return this.lock;
  }

  async renew(): Promise<boolean> {
    return false;
  }
}

/**
 * Whether it is a token of an App's installation that another program obtained, such as the token of a job of GitHub
 * Actions.
 */
export function isInstallationToken(token: string): boolean {
  return token.startsWith('ghs_');
}

const appPayload = z.object({ slug: z.string().min(1) });
const installationPayload = z.object({ id: z.int() });
const tokenPayload = z.object({
  token: z.string().min(1),
  expiresAt: z.string(),
  permissions: z.record(z.string(), z.string()),
});

/** Renewed this long before the end, so that no request is under way when it comes. */
const margin = 60_000;

/** As one PEM form. Nothing of a key that cannot be read is shown. */
function readKey(privateKey: string): string {
  try {
    // A variable often holds the line ends as the two characters \n.
    const pem = privateKey.replaceAll('\\n', '\n').trim();
    return createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    throw new GatewrightError(
      'forge-not-authenticated',
      'The private key of the GitHub App cannot be read.',
      {
        hint: 'Download a new one from the settings of the App; it is a PEM file.',
      },
    );
  }
}

type InstallationToken = z.infer<typeof tokenPayload> & { readonly endsAt: number };

export class AppCredential implements GithubCredential {
  readonly kind = 'app';
  readonly lock: string;
  readonly #secrets: string[];
  readonly #app: App;
  readonly #settings: AppSettings;
  readonly #clock: Pick<Clock, 'now'>;
  #installation: number | null;
  #current: InstallationToken | null = null;
  #renewal: Promise<InstallationToken> | null = null;
  #slug: string | null = null;

  constructor(settings: AppSettings, octokit: typeof Octokit, clock: Pick<Clock, 'now'>) {
    const privateKey = readKey(settings.privateKey);
    this.#settings = settings;
    this.#installation = settings.installation;
    this.#clock = clock;
    this.lock = `${settings.id} ${privateKey}`;
    // Line by line, in both forms: an answer that repeats a part of the key would tell too much already.
    this.#secrets = [settings.privateKey, privateKey].flatMap((pem) =>
      pem.split(/\\n|\n/u).filter((line) => line.length > 8 && !line.startsWith('-----')),
    );
    this.#app = new App({ appId: settings.id, privateKey, Octokit: octokit });
  }

  get secrets(): readonly string[] {
    return this.#secrets;
  }

  async #findInstallation(): Promise<number> {
    if (this.#installation === null) {
      const [owner = '', repo = ''] = this.#settings.repository.split('/');
      const found = this.#app.octokit.request('GET /repos/{owner}/{repo}/installation', { owner, repo });
      const { data } = await found.catch((error: unknown) => this.#refuseMissing(error));
      this.#installation = installationPayload.parse(data).id;
    }
    return this.#installation;
  }

  /** GitHub says of an App that is not installed there what it says of everything that is not there. */
  #refuseMissing(error: unknown): never {
    const isThere = !hasStatus(error, 404) || /^integration not found/iu.test(refusalWords(error));
    if (isThere) throw error;
    const { id, repository } = this.#settings;
    throw new GatewrightError(
      'forge-app-not-installed',
      `The GitHub App ${escapeForLine(id, 100)} is not installed on ${repository}.`,
    );
  }

  async #fetchToken(): Promise<InstallationToken> {
    const installationId = await this.#findInstallation();
    const issued = this.#app.octokit.auth({ type: 'installation', installationId, refresh: true });
    const got = tokenPayload.parse(await issued.catch((error: unknown) => this.#refuseMissing(error)));
    this.#secrets.push(got.token);
    const ends = Date.parse(got.expiresAt);
    return { ...got, endsAt: Number.isNaN(ends) ? 0 : ends };
  }

  /** Many calls may need a new token at once; it is asked for once. */
  async #fresh(): Promise<InstallationToken> {
    this.#renewal ??= this.#fetchToken().finally(() => {
      this.#renewal = null;
    });
    this.#current = await this.#renewal;
    return this.#current;
  }

  async #valid(): Promise<InstallationToken> {
    const current = this.#current;
    if (current !== null && current.endsAt - margin > this.#clock.now().getTime()) return current;
    return this.#fresh();
  }

  async token(): Promise<string> {
    return (await this.#valid()).token;
  }

  async renew(refused: string): Promise<boolean> {
    if (this.#current?.token === refused) this.#current = null;
    await this.#valid();
    return true;
  }

  /** What the installation was granted, such as `issues: write`. */
  async permissions(): Promise<Readonly<Record<string, string>>> {
    return (await this.#valid()).permissions;
  }

  async login(): Promise<string> {
    if (this.#slug === null)
      this.#slug = appPayload.parse((await this.#app.octokit.request('GET /app')).data).slug;
    return `${this.#slug}[bot]`;
  }
}
