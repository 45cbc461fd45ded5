/**
 * The credentials of the Claude Code CLI in the order in which they are tried: the token of a subscription, then a key that
 * is paid by the token. One at a time goes to the CLI, which would prefer the key if it saw both.
 */
import { limitName, redactSecrets } from '../../domain/models/credential.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CredentialLimits } from '../../ports/credential-limits.ts';
import { type AttemptEnd, chooseTier, type TierAttempt } from './credential-tier.ts';
import type { Environment } from './run-claude.ts';

export interface ClaudeCredential {
  /** The variable that it comes from; how people and the ledger speak of it. */
  readonly name: string;
  /** Empty when the CLI uses its own login. */
  readonly secret: string;
  /** The variable that tells the CLI on which descriptor to read the secret; null when it knows none. */
  readonly descriptorVariable: string | null;
}

const variables: readonly (readonly [name: string, descriptorVariable: string])[] = [
  ['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR'],
  ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR'],
];

/** A token for a gateway of one's own, which has no descriptor. */
const gatewayVariable = 'ANTHROPIC_AUTH_TOKEN';

function readClaudeCredentials(environment: Environment): ClaudeCredential[] {
  const textOf = (name: string): string => (environment[name] ?? '').trim();
  const given = variables.flatMap(([name, descriptorVariable]) =>
    textOf(name) === '' ? [] : [{ name, secret: textOf(name), descriptorVariable }],
  );
  if (given.length > 0) return given;
  if (textOf(gatewayVariable) !== '')
    return [{ name: gatewayVariable, secret: textOf(gatewayVariable), descriptorVariable: null }];
  return [{ name: 'the login of the CLI', secret: '', descriptorVariable: null }];
}

/** Whether there is one beside what the CLI itself may know. */
export function hasClaudeCredential(environment: Environment): boolean {
  return readClaudeCredentials(environment).some(({ secret }) => secret !== '');
}

interface Ended {
  readonly end: AttemptEnd;
  /** When the quota comes back, if the provider said so. */
  readonly until?: Date | null;
}

export type TiersEnd<A> =
  /** What the last attempt came to. */
  | { readonly last: A; readonly earlier: readonly A[]; readonly until: Date | null }
  /** No credential may be used before that time. */
  | { readonly last: null; readonly until: Date };

/** The CLI does not always say when its quota comes back. A resume that is too early costs nothing but another pause. */
const unknownWait = 15 * 60_000;

export class ClaudeTiers {
  readonly #credentials: readonly ClaudeCredential[];
  readonly #model: string;
  readonly #limits: CredentialLimits;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(environment: Environment, model: string, limits: CredentialLimits, clock: Pick<Clock, 'now'>) {
    this.#credentials = readClaudeCredentials(environment);
    this.#model = model;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Whether there is one beside what the CLI itself may know. */
  get hasOwnCredential(): boolean {
    return this.#credentials.some(({ secret }) => secret !== '');
  }

  /** A text without any of the secrets, and not too long. */
  clean(text: string, longest = 300): string {
    const secrets = this.#credentials.map(({ secret }) => secret);
    return redactSecrets(text, secrets).slice(0, longest);
  }

  /** Tries one credential after the other, as long as the rules of the tiers allow it. */
  async run<A extends Ended>(
    attempt: (credential: ClaudeCredential, earlier: readonly A[]) => Promise<A>,
  ): Promise<TiersEnd<A>> {
    const done: A[] = [];
    const attempts: TierAttempt[] = [];
    const names = this.#credentials.map(({ name, secret }) => limitName(name, secret));
    for (;;) {
      const exhausted = await this.#limits.read(this.#model);
      const choice = chooseTier(names, attempts, exhausted, this.#clock.now());
      const credential = this.#credentials[choice.use === null ? -1 : names.indexOf(choice.use)];
      if (choice.use === null || credential === undefined) {
        const until = choice.use === null ? choice.until : null;
        const last = done.at(-1);
        if (last !== undefined) return { last, earlier: done.slice(0, -1), until };
        return { last: null, until: until ?? this.#clock.now() };
      }
      const ended = await attempt(credential, done);
      done.push(ended);
      attempts.push({ credential: choice.use, end: ended.end });
      if (ended.end === 'quota') {
        const until = ended.until ?? new Date(this.#clock.now().getTime() + unknownWait);
        await this.#limits.keep(this.#model, choice.use, until);
      }
    }
  }
}
