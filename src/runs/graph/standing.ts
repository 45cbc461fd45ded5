/** Where a run of a graph stands, without knowing what drives the graph. */
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';

/** At a gate, where nothing can be done without an answer; or at its end. */
export type Standing<State> =
  | { readonly at: 'gate'; readonly node: string; readonly question: GateQuestion }
  | { readonly at: 'end'; readonly state: State };

/** The node that is to run next, or the gate that is to be answered, and what is known there. */
export interface Place<State> {
  readonly node: string;
  readonly question: GateQuestion | null;
  readonly state: State;
}

/** A run that can be driven from gate to gate, over any number of processes. */
export interface Drivable<State> {
  /** Begins, or goes on from the last checkpoint, until the next gate or the end. */
  proceed(): Promise<Standing<State>>;
  /** Begins at that node with that state, as a session that was recorded began; for a graph without checkpoints of its own. */
  beginAt(node: string, state: State): Promise<Standing<State>>;
  /** Where it stands, without going on; null when no node has run yet, and when it is done. */
  look(): Promise<Place<State> | null>;
  /**
   * Goes back before the next gate or node: the run goes on after `node`, with the state that `change` makes. Nothing
   * happens when it makes none, or when no node has run yet.
   */
  returnTo(node: string, change: (at: Place<State>) => Promise<State | null>): Promise<void>;
  /** Answers the gate that it stands at, then goes on. */
  answer(answer: GateAnswer): Promise<Standing<State>>;
}
