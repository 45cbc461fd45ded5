/** Asks the model of a stage, and asks once more when it wrote what is not its own; nothing of that is taken over. */
import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import { GatewrightError } from '../../../errors.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import type { StageName } from '../rules/stages.ts';
import type { PipelineState } from '../state.ts';

/** The role under which the model of a stage is asked: recordings and the ledger find its calls by it. */
export function roleOf(stage: StageName | 'answer'): string {
  return `pipeline-${stage}`;
}

interface Answered<T> {
  readonly answer: T;
  readonly calls: PipelineState['calls'];
}

interface Tried<T> {
  readonly answer: T;
  /** What it wrote that is not its own, as sentences. */
  readonly violations: readonly string[];
}

/** @param ask one call; it is told what was refused the last time */
export async function askStage<T>(
  context: PipelineContext,
  { calls }: Pick<PipelineState, 'calls'>,
  { stage, attempt }: { readonly stage: StageName; readonly attempt: number },
  ask: (call: number, refused: readonly string[]) => Promise<Tried<T>>,
): Promise<Answered<T>> {
  const role = roleOf(stage);
  const before = calls[role] ?? 0;
  let refused: readonly string[] = [];
  for (let tried = 1; tried <= 2; tried += 1) {
    const call = before + tried;
    const { answer, violations } = await ask(call, refused);
    if (violations.length === 0) return { answer, calls: { ...calls, [role]: call } };
    refused = violations;
    await context.record({
      kind: 'section-rejected',
      key: `${context.runId}/rejected/${role}#${call}`,
      data: { stage, attempt, violations },
    });
    context.progress({ kind: 'warning', message: `Refused: ${violations.join('; ')}.` });
  }
  throw new GatewrightError(
    'stage-overstepped',
    `The ${stage} stage wrote twice what is not its own: ${refused.slice(0, 3).join('; ')}.`,
    { details: refused },
  );
}

/** What a stage is told when it is asked again. */
export function describeRefused(refused: readonly string[]): string[] {
  if (refused.length === 0) return [];
  const list = refused.map((one) => `- ${one}`).join('\n');
  return [
    `Your last answer was refused, because it changed what is not yours:\n${fenceUntrusted('REFUSED', list)}`,
  ];
}
