/** Where a run of a graph stands, without knowing what drives the graph. */
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';

/** At a gate, where nothing can be done without an answer; or at its end. */
export type Standing<State> =
  | { readonly at: 'gate'; readonly node: string; readonly question: GateQuestion }
  | { readonly at: 'end'; readonly state: State };

/** A run that can be driven from gate to gate, over any number of processes. */
export interface Drivable<State> {
  /** Begins, or goes on from the last checkpoint, until the next gate or the end. */
  proceed(): Promise<Standing<State>>;
  /** Answers the gate that it stands at, then goes on. */
  answer(answer: GateAnswer): Promise<Standing<State>>;
}
