/** Runs an agent and keeps a tape of it. Nothing of that can stop the run. */
import type { Agent, AgentContext, AgentEnd } from '../../agents/agent.ts';
import type { TapeHead } from '../../domain/recordings/tape.ts';
import { encodeValue } from '../../domain/recordings/tape-values.ts';
import type { Tapes } from '../../ports/tapes.ts';
import { encodeError, Recorder, recordContext } from '../../runs/tapes/record-context.ts';

function headOf(version: string, agent: Agent, context: AgentContext): TapeHead {
  return {
    version,
    run: context.runId,
    agent: agent.name,
    subject: context.subject,
    request: encodeValue(context.request),
    event: encodeValue(context.event),
    own: context.own,
    startedAt: context.startedAt.toISOString(),
    settings: encodeValue(context.settings),
  };
}

export async function runOnTape(tapes: Tapes, agent: Agent, context: AgentContext): Promise<AgentEnd> {
  const tape = tapes.begin(context.runId);
  tape.write({ head: headOf(tapes.version, agent, context) });
  try {
    const recorder = new Recorder((call) => tape.write({ call }));
    const end = await agent.run(recordContext(context, recorder));
    tape.write({ end: { value: encodeValue(end) } });
    return end;
  } catch (error) {
    tape.write({ end: encodeError(error) });
    throw error;
  } finally {
    await tape.close();
  }
}
