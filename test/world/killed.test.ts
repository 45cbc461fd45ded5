/**
 * The whole chain, killed (SIGKILL) at its requests: each command dies once, before or after the world has heard of what it
 * asks, and is started again as people and GitHub do that. In the end the world is as if nobody had disturbed it.
 */
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { openForge } from '../contracts/github-world.ts';
import { readWorld, type WorldState } from '../support/world-state.ts';
import { Chain, personToken } from './chain.ts';
import { modelHosts, type SeenRequest } from './little-internet.ts';
import { whyNoNetwork } from './private-network.ts';
import { brief, repositoryName } from './story.ts';

/** Where each command dies: at its so many-th request, before it was heard or after it was done. */
interface Death {
  readonly at: number;
  readonly fate: 'lost-before' | 'lost-after';
}

/** What the CLI of a model tells its maker beside its questions comes in any order, and nothing rests on it. */
function isCounted({ host, path }: SeenRequest): boolean {
  return host !== modelHosts.anthropic || path.startsWith('/v1/messages');
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

  /** False when the command ended before it came to where it dies. */
  async #die(words: readonly string[], { at, fate }: Death): Promise<boolean> {
    const { internet, machine } = this.chain;
    const asked = internet.models.seen.length;
    let count = -1;
    internet.onRequest = (seen) => {
      if (isCounted(seen)) count += 1;
      if (!isCounted(seen) || count !== at) return 'answered';
      this.deaths.push(`${words[0]} ${fate} ${seen.method} ${seen.host}${seen.path}`);
      return fate;
    };
    const { child, ended } = machine.start(['gatewright', ...words]);
    internet.onLost = () => child.kill('SIGKILL');
    const result = await ended;
    internet.onRequest = () => 'answered';
    if (result.signal === 'SIGKILL') {
      this.lost += internet.models.seen.length - asked;
      return true;
    }
    expect(result.code, `${words.join(' ')}\n${result.all}`).toBe(0);
    return false;
  }

  /** Runs a command, which may die on the way and then goes on as said. */
  readonly run = async (begin: readonly string[], goOn: readonly string[] = begin): Promise<void> => {
    if (this.#death === null) await this.chain.finish(...begin);
    else if (await this.#die(begin, this.#death)) {
      const result = await this.chain.machine.run(...goOn);
      const isUnknown = result.stderr.includes('(run-not-found)');
      if (isUnknown) await this.chain.finish(...begin);
      else if (!/\((?:run-finished|design-approved)\)/u.test(result.stderr))
        expect(result.code, `${this.deaths.at(-1)}, then ${goOn.join(' ')}\n${result.all}`).toBe(0);
    }
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

/** Early reads, questions to models, writes and pushes lie at these places in one command or the other. */
const sampled: readonly Death[] = [
  { at: 1, fate: 'lost-before' },
  { at: 4, fate: 'lost-after' },
  { at: 9, fate: 'lost-after' },
  { at: 16, fate: 'lost-before' },
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
        failures.push(`${JSON.stringify(death)}: ${error instanceof Error ? error.message : String(error)}`);
      }
      console.log(death, mortal.deaths);
      expect(mortal.deaths.length).toBeGreaterThan(0);
    }
    expect(failures).toEqual([]);
  });
});
