/** `actions propose`: asks the models that open runs wait for, and writes what they said to a file. Changes nothing else. */
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sealProposal } from '../../../../domain/proposals/seal-proposal.ts';
import { countOf } from '../../../../domain/text/count-of.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError, systemErrorCode, toGatewrightError } from '../../../../errors.ts';
import { RunProposer } from '../../../../fleet/proposals/propose-runs.ts';
import { exitCodes } from '../../exit-codes.ts';
import { listenForStop } from '../../listen-for-stop.ts';
import type { Handler } from '../../table/command.ts';
import { makeFleetView } from '../../views/fleet-view.ts';
import { openJob } from './open-job.ts';

/** Found out before models are paid for. */
function makeRoom(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new GatewrightError('usage', `Nothing can be written to ${folder} (${systemErrorCode(error)}).`, {
      hint: 'Give --out with a file in a folder that you may write to.',
    });
  }
}

export const propose: Handler = async (app, given) => {
  const out = given.text('out') ?? '';
  if (out === '')
    throw new GatewrightError('usage', 'Give --out with the file to write the proposal to.', {
      hint: 'For example: gatewright actions propose --agents reviewer --out proposal.json',
    });
  const file = resolve(out);
  makeRoom(file);
  const house = await app.openHouse(null, { forge: null, name: null, asAgent: true, use: 'scratch' });
  const own = await house.forge.whoAmI();
  const { place, agents } = await openJob(app, given, house, own);
  const view = makeFleetView(app.terminal);
  const stop = listenForStop(view.say);
  try {
    const session = { ...view.session, own, signal: stop.signal };
    const proposer = new RunProposer(house, session);
    const proposal = await proposer.propose(place, agents);
    if (stop.signal.aborted) return exitCodes.misused.code;
    writeFileSync(file, sealProposal(house.signingKey, proposal), { mode: 0o600 });
    for (const { subject, error } of proposer.failures)
      view.say(
        `${escapeForLine(subject)} failed and waits on: ${escapeForLine(toGatewrightError(error).message)}`,
      );
    for (const { subject, why } of proposer.unasked)
      view.say(`${escapeForLine(subject)} asked no model: ${escapeForLine(why)}`);
    const calls = proposal.runs.reduce((sum, run) => sum + run.calls.length, 0);
    view.say(`${countOf(proposal.runs.length, 'run')}, ${countOf(calls, 'answer')}: ${out}`);
    return exitCodes.done.code;
  } finally {
    stop.close();
    view.close();
  }
};
