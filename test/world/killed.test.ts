/**
 * The whole chain, killed (SIGKILL) at its requests: each command dies once, before or after the world has heard of what it
 * asks, and is started again as people and GitHub do that. In the end the world is as if nobody had disturbed it.
 */
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { openForge } from '../contracts/github-world.ts';
import type { Result } from '../support/playground.ts';
import { readWorld, type WorldState } from '../support/world-state.ts';
import { Chain, personToken } from './chain.ts';
import { modelHosts, type SeenRequest } from './little-internet.ts';
import { whyNoNetwork } from './private-network.ts';
import { brief, repositoryName } from './story.ts';

/** Where the lives of each command end: at a request, before it was heard or after it was done. */
interface Death {
  /** Counted within a life, from 0; one number for each life but the last. */
  readonly at: readonly number[];
  readonly of: 'all' | 'writes';
  readonly fate: 'lost-before' | 'lost-after';
}

/** What the CLI of a model tells its maker beside its questions comes in any order, and nothing rests on it. */
function isCounted({ host, path, method }: SeenRequest, of: Death['of']): boolean {
  if (host === modelHosts.anthropic && !path.startsWith('/v1/messages')) return false;
  return of === 'all' || (method !== 'GET' && !path.endsWith('/git-upload-pack'));
}

class MortalChain {
  readonly chain: Chain;
  readonly #death: Death | null;
  /** The requests at which it died. */
  readonly deaths: string[] = [];
  /** Questions to models in lives that ended early: at most these are asked again. */
  lost = 0;

  constructor(chain: Chain, death: Death | null) {
    this.chain = chain;
    this.#death = death;
  }

  /** One life: it dies as said, ends before it comes to that, or finds nothing to go on with. */
  async #live(
    words: readonly string[],
    at: number,
    { of, fate }: Death,
  ): Promise<'died' | 'ended' | 'nothing'> {
    const { internet, machine } = this.chain;
    const asked = internet.models.seen.length;
    let count = -1;
    internet.onRequest = (seen) => {
      if (isCounted(seen, of)) count += 1;
      if (!isCounted(seen, of) || count !== at) return 'answered';
      this.deaths.push(`${words[0]} ${fate} ${seen.method} ${seen.host}${seen.path}`);
      return fate;
    };
    const { child, ended } = machine.start(['gatewright', ...words]);
    internet.onLost = () => child.kill('SIGKILL');
    const result = await ended;
    internet.onRequest = () => 'answered';
    if (result.signal === 'SIGKILL') {
      this.lost += internet.models.seen.length - asked;
      return 'died';
    }
    if (result.stderr.includes('(run-not-found)')) return 'nothing';
    this.#expectDone(words, result);
    return 'ended';
  }

  #expectDone(words: readonly string[], { code, all }: Result): void {
    if (/\((?:run-finished|design-approved)\)/u.test(all)) return;
    expect(code, `after ${this.deaths.join(', ')}: ${words.join(' ')}\n${all}`).toBe(0);
  }

  /** Runs a command, which may die on the way and then goes on as said; or begins, if nobody knows of it. */
  readonly run = async (begin: readonly string[], goOn: readonly string[] = begin): Promise<void> => {
    let words = begin;
    const death = this.#death;
    for (const at of death?.at ?? []) {
      if (death === null) break;
      const end = await this.#live(words, at, death);
      if (end === 'ended') return;
      words = end === 'died' ? goOn : begin;
    }
    const result = await this.chain.machine.run(...words);
    if (result.stderr.includes('(run-not-found)')) await this.chain.finish(...begin);
    else this.#expectDone(words, result);
  };

  async play(): Promise<WorldState> {
    const { chain } = this;
    await chain.clone();
    await this.run(['init', '--yes']);
    await chain.push('Set up');
    await this.run(['issue', '--brief', brief, '--auto'], ['issue', '--resume', brief, '--auto']);
    await this.run(['lld', '1', '--auto'], ['lld', '--resume', '1-lld', '--auto']);
    await chain.push('The design');
    chain.skipPending();
    chain.mention();
    await chain.dispatchAll(this.run);
    return this.#look();
  }

  #look(): Promise<WorldState> {
    const { internet, machine, stored } = this.chain;
    const env = { PATH: process.env.PATH ?? '', HOME: machine.home };
    const git = (...words: string[]): string =>
      execFileSync('git', words, { cwd: machine.project, env, encoding: 'utf8' }).trim();
    return readWorld({
      playground: { database: machine.database, git },
      repository: repositoryName,
      forge: openForge(internet.github.url, { kind: 'token', token: personToken }),
      git: (...words) => stored.git.run(...words),
    });
  }
}

const chains: Chain[] = [];
afterEach(async () => {
  for (const chain of chains.splice(0)) await chain.close();
});

async function open(death: Death | null): Promise<MortalChain> {
  const chain = await Chain.open({ missingLabels: 2 });
  chains.push(chain);
  return new MortalChain(chain, death);
}

/** Reads, questions to models, writes and pushes lie at these places in one life or another. */
const sampled: readonly Death[] = [
  { at: [1, 5, 11, 18, 30], of: 'all', fate: 'lost-before' },
  { at: [0, 1, 2, 4, 7], of: 'writes', fate: 'lost-before' },
  { at: [0, 1, 3, 5, 6], of: 'writes', fate: 'lost-after' },
];

describe.skipIf(whyNoNetwork() !== null)('in the little internet', () => {
  it('a chain that is killed again and again leaves what an undisturbed one leaves', {
    timeout: 1_800_000,
  }, async () => {
    const calm = await open(null);
    const undisturbed = await calm.play();
    expect(undisturbed.forge.pulls.map(({ state }) => state)).toEqual(['merged']);
    expect(undisturbed.ledger.problems).toEqual([]);
    const asked = calm.chain.internet.models.seen.length;
    const failures: string[] = [];
    for (const death of sampled) {
      const mortal = await open(death);
      try {
        const state = await mortal.play();
        expect(state).toEqual(undisturbed);
        // What was paid for is not paid for again; only what was cut off is asked anew.
        expect(mortal.chain.internet.models.seen.length - asked).toBeLessThanOrEqual(mortal.lost);
      } catch (error) {
        failures.push(
          `${JSON.stringify(mortal.deaths)}: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
      expect(mortal.deaths.length).toBeGreaterThanOrEqual(death.at.length);
    }
    expect(failures).toEqual([]);
  });
});
