/**
 * Every circle of a workflow leads through a gate, and every gate has an id of its own, by run and step. A process that
 * comes to a gate which it has answered before makes no progress: no model and no person was asked anything new. It would
 * go round for ever, so it stops; no model is needed to notice.
 */
import type { GateQuestion } from '../domain/drafts/gate.ts';
import { GatewrightError } from '../errors.ts';

export class LoopGuard {
  readonly #passed = new Set<string>();

  /** Called with each gate that the workflow stands at, before it is settled. */
  pass(question: Pick<GateQuestion, 'id' | 'kind'>): void {
    if (this.#passed.has(question.id)) {
      throw new GatewrightError(
        'run-in-circle',
        `The run came back to the ${question.kind} gate ${question.id}, which it had passed with its answer.`,
      );
    }
    this.#passed.add(question.id);
  }
}
