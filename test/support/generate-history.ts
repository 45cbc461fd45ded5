/** Histories of one subject as agents, people and programs leave them: every order of things that can happen to a few runs. */
import fc from 'fast-check';
import { identifyLearning } from '../../src/domain/learnings/learnings.ts';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';

/** What every entry names that names a text. */
export const textOfHistory = 'What was said.';
const hash = sha256(textOfHistory);
const agentsInHistory = ['implementer', 'reviewer', 'auto-merge'] as const;
const actorsInHistory = ['alice', 'bob', 'a[bot]', 'b[bot]'] as const;
const headsInHistory = ['1'.repeat(40), '2'.repeat(40)] as const;
const eventKinds = [
  ...(['issue-opened', 'issue-assigned', 'comment-created', 'handed-on', 'pull-request-closed'] as const),
] as const;
const stopCodes = ['held', 'cancelled', 'internal'] as const;

const choose = fc.nat({ max: 1_000 });
const words = fc.constantFrom('Tests run with vitest.', 'tests run with Vitest', 'Slow.', 'It is slow.');

const step = fc.oneof(
  fc.record({
    do: fc.constant('begin' as const),
    agent: fc.constantFrom(...agentsInHistory),
    event: fc.option(fc.constantFrom(...eventKinds)),
    actor: fc.constantFrom(...actorsInHistory),
    dryRun: fc.nat({ max: 5 }).map((number) => number === 0),
  }),
  fc.record({ do: fc.constant('stop' as const), of: choose, code: fc.constantFrom(...stopCodes) }),
  fc.record({
    do: fc.constantFrom(
      'resume' as const,
      'end' as const,
      'cancel' as const,
      'prompt' as const,
      'node' as const,
      'notice' as const,
      'dismiss' as const,
      'wait' as const,
    ),
    of: choose,
  }),
  fc.record({
    do: fc.constantFrom('enqueue' as const, 'enqueue-failed' as const, 'enqueue-dry' as const),
    of: choose,
    head: fc.constantFrom(...headsInHistory),
    number: fc.constantFrom(7, 8),
  }),
  fc.record({
    do: fc.constantFrom('grant' as const, 'meter' as const, 'pay' as const),
    of: choose,
    grant: fc.nat({ max: 2 }),
  }),
  fc.record({
    do: fc.constant('limit' as const),
    of: choose,
    what: fc.constantFrom('continue', 'fix', 'merge'),
  }),
  fc.record({ do: fc.constant('review' as const), of: choose, isClean: fc.boolean() }),
  fc.record({
    do: fc.constantFrom('observe' as const, 'correct' as const, 'forget' as const),
    words,
    other: words,
    session: fc.constantFrom('S1', 'S2'),
    outcome: fc.constantFrom(null, 'success', 'failed_max_retries'),
  }),
  fc.record({ do: fc.constantFrom('plan' as const, 'approve' as const, 'quiet' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const finished = { code: 'finished', message: '', owner: 'nobody', resume: '' } as const;

/** Plays the steps: what is done by a run is done by one that has begun and not ended, if there is one. */
class Player {
  readonly entries: NewEntry[] = [];
  readonly #open: string[] = [];
  readonly #subject: string;
  #count = 0;

  constructor(subject: string) {
    this.#subject = subject;
  }

  #add(entry: object): void {
    this.entries.push({ subject: this.#subject, run: '', actor: 'gatewright', ...entry } as NewEntry);
  }

  #receive(delivery: string, kind: string, actor: string): void {
    this.#add({ kind: 'event-received', key: delivery, data: { kind, actor, event: hash } });
  }

  #begin({ agent, event, actor, dryRun }: Extract<Step, { do: 'begin' }>): void {
    const [run, delivery] = [`R-${this.#subject}-${this.#count}`, `d-${this.#subject}-${this.#count}`];
    if (event !== null) this.#receive(delivery, event, actor);
    const request = { workflow: 'agent', agent, delivery, dryRun, number: 7 };
    const key = `${delivery}/${agent}/${this.#subject}${dryRun ? `/${run}` : ''}`;
    this.#add({ kind: 'run-started', run, key, data: { request } });
    this.#open.push(run);
  }

  #enqueue(run: string, { do: how, head, number }: Extract<Step, { head: string }>): void {
    const key = `${run}/enqueue#${this.#count}`;
    const effect = { kind: 'enqueue-pull-request', repository: 'o/r', number, head };
    this.#add({ kind: 'effect-intended', run, key, data: { effect, dryRun: how === 'enqueue-dry' } });
    if (how === 'enqueue-failed')
      this.#add({ kind: 'effect-failed', run, key, data: { code: 'internal', message: '' } });
    else this.#add({ kind: 'effect-receipted', run, key, data: { result: {}, found: false } });
  }

  #spendOrJudge(run: string, one: Extract<Step, { of: number }>): object | null {
    if ('what' in one) return { kind: 'limit-reached', run, data: { what: one.what, limit: 2 } };
    if ('isClean' in one) {
      const data = { number: 7, commit: `c${this.#count}`, isClean: one.isClean, review: hash, by: 'm' };
      return { kind: 'code-reviewed', run, data };
    }
    if (!('grant' in one)) return null;
    const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.1 * (this.#count % 7), turns: 1 };
    const grant = { id: `${run}/${one.grant}`, limit: { usd: 2, turns: 3 }, atMost: usage };
    const common = { role: 'coder', model: 'm' };
    if (one.do === 'meter') return { kind: 'work-metered', run, data: { ...common, grant } };
    if (one.do === 'grant')
      return { kind: 'prompt-sent', run, data: { ...common, prompt: hash, instructions: hash, grant } };
    const paid = { reportedModel: 'm', answer: hash, usage, milliseconds: 1, grant: { id: grant.id } };
    return { kind: 'model-answered', run, data: { ...common, ...paid } };
  }

  #do(run: string, one: Extract<Step, { of: number }>): void {
    const reason = { ...finished, code: 'code' in one ? one.code : 'finished' };
    const asked = { role: 'coder', model: 'm', prompt: hash, instructions: hash };
    const receipt = { result: {}, found: false };
    const entries: Readonly<Record<string, object>> = {
      stop: { kind: 'run-stopped', run, data: { status: 'blocked', reason } },
      resume: { kind: 'run-resumed', run, data: { from: 'blocked' } },
      prompt: { kind: 'prompt-sent', run, data: asked },
      node: { kind: 'node-begun', run, data: { node: 'N', step: this.#count } },
      notice: { kind: 'effect-receipted', run, key: `${run}/loop-notice#${this.#count}`, data: receipt },
      dismiss: { kind: 'run-dismissed', run, data: { by: 'alice' } },
      wait: { kind: 'merge-waits', run, data: { number: 7, head: headsInHistory[0], unmet: [] } },
      end: { kind: 'run-ended', run, data: { reason, result: null } },
      cancel: { kind: 'run-ended', run, data: { reason: { ...reason, code: 'cancelled' }, result: null } },
    };
    const entry = entries[one.do] ?? this.#spendOrJudge(run, one);
    if (entry !== null) this.#add(entry);
    if ('head' in one) this.#enqueue(run, one);
    if (one.do === 'end' || one.do === 'cancel') this.#end(run, one);
  }

  /** Some of the cancelled ones are put aside afterwards. */
  #end(run: string, one: Extract<Step, { of: number }>): void {
    this.#open.splice(this.#open.indexOf(run), 1);
    if (one.do === 'cancel' && one.of % 3 === 0)
      this.#add({ kind: 'run-dismissed', run, data: { by: 'alice' } });
  }

  #learn({ do: how, words: content, other, session, outcome }: Extract<Step, { words: string }>): void {
    const learning = identifyLearning(content, null);
    const observed = { agent: 'writer', type: 'pattern_discovered', content, file: null, session, outcome };
    if (how === 'observe') this.#add({ kind: 'learning-observed', data: { learning, ...observed } });
    else if (how === 'correct')
      this.#add({ kind: 'learning-edited', data: { learning, content: other, by: 'alice' } });
    else this.#add({ kind: 'learning-removed', data: { learning, by: 'alice', why: '' } });
  }

  play(one: Step): void {
    this.#count += 1;
    if ('words' in one) this.#learn(one);
    else if (one.do === 'begin') this.#begin(one);
    else if (one.do === 'plan') this.#add({ kind: 'plan-proposed', data: { plan: hash, comment: 1 } });
    else if (one.do === 'approve')
      this.#add({ kind: 'plan-approved', data: { plan: hash, by: 'alice', comment: 2 } });
    else if (one.do === 'quiet')
      this.#receive(`q-${this.#subject}-${this.#count}`, 'comment-created', 'carol');
    const run = 'of' in one ? this.#open[one.of % this.#open.length] : undefined;
    if ('of' in one && run !== undefined) this.#do(run, one);
  }
}

/** @param most how many steps at most */
export function historyOf(subject: string, most = 40): fc.Arbitrary<NewEntry[]> {
  return fc.array(step, { maxLength: most }).map((steps) => {
    const player = new Player(subject);
    for (const one of steps) player.play(one);
    return player.entries;
  });
}
