/** `replay RUN --from STEP` of an agent's run: shows what the agent would do with another answer at that step. */
import type { AgentRun } from '../../../domain/ledger/run.ts';
import type { Tape } from '../../../domain/recordings/tape.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { type AgentForkInput, forkAgentRun } from '../../../fleet/tapes/fork-agent.ts';
import type { App } from '../app.ts';
import { exitCodeOfStatus, exitCodes } from '../exit-codes.ts';
import { listenForStop } from '../listen-for-stop.ts';
import { openHouseOf } from '../open-house.ts';
import type { Given } from '../table/command.ts';
import { makeFleetView } from '../views/fleet-view.ts';
import { readIntended } from '../views/list-intended.ts';

export async function forkAgent(
  app: App,
  given: Given,
  { run, tape, ...input }: AgentForkInput & { readonly run: AgentRun; readonly tape: Tape },
): Promise<number> {
  const { terminal } = app;
  const isJson = given.flag('json');
  const house = await openHouseOf(app, run, true);
  const view = makeFleetView(terminal, isJson);
  const stop = listenForStop(view.say);
  try {
    const own = await house.forge.whoAmI();
    if (!isJson)
      terminal.say(
        `Fork of ${run.id} from ${escapeForLine(input.from)}. It is a dry run: nothing is changed. Models are called and paid.`,
      );
    const session = { ...view.session, own, signal: stop.signal };
    const outcome = await forkAgentRun(house, tape, input, session);
    const planned = await readIntended(house, outcome.run.id);
    const { status, reason } = outcome;
    if (isJson)
      terminal.printJson({ run: outcome.run.id, fork: outcome.run.request.fork, status, reason, planned });
    else {
      for (const { what, texts } of planned) {
        terminal.print(`would ${what}`);
        for (const line of texts.flatMap((text) => text.split('\n'))) terminal.print(`  | ${line}`);
      }
      if (planned.length === 0) terminal.say('It would change nothing.');
      terminal.say(`See what it asked and was answered with: gatewright runs show ${outcome.run.id}`);
    }
    return stop.signal.aborted ? exitCodes.misused.code : exitCodeOfStatus(status);
  } finally {
    stop.close();
  }
}
