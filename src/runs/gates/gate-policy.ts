/**
 * When a gate is answered without asking a person: in auto mode, in test mode, and by a verdict that leaves no doubt.
 * Pure; the caller records the answer as the policy's.
 */
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import type { Decision } from '../../domain/drafts/verdict.ts';
import { GatewrightError } from '../../errors.ts';

export interface RunMode {
  readonly auto: boolean;
  readonly testMode: boolean;
  readonly strict: boolean;
}

type PolicyAnswer = Pick<GateAnswer, 'choice' | 'by'>;

/**
 * The policy's answer, or null when a person has to be asked. Throws when auto mode cannot go on by itself.
 * `decision` is what the verdict file says now: null when it does not tick exactly one box in a way that can be read.
 */
export function answerByPolicy(
  question: GateQuestion,
  mode: RunMode,
  decision: Decision | null,
  unclear: string | null = null,
): PolicyAnswer | null {
  if (question.mustAsk === true) return null;
  switch (question.kind) {
    case 'draft':
      return answerDraft(question, mode);
    case 'verdict':
      return answerVerdict(mode, decision, unclear);
    case 'filing':
    case 'scope':
    case 'plan':
    case 'work':
    case 'blocked':
    case 'testing':
    case 'close':
    case 'merge':
    case 'escalation':
      return null;
    default:
      return question.kind satisfies never;
  }
}

function answerDraft(question: GateQuestion, mode: RunMode): PolicyAnswer | null {
  if (mode.testMode) return { choice: 'send', by: 'test-mode' };
  if (!mode.auto) return null;
  // Only a person can answer them; sent on, they would only come back.
  if ((question.questions ?? []).length > 0) return null;
  if (question.isUnchanged === true) {
    throw new GatewrightError('no-progress', question.because ?? 'The revision came back unchanged.');
  }
  return { choice: 'send', by: 'auto' };
}

function answerVerdict(
  mode: RunMode,
  decision: Decision | null,
  unclear: string | null,
): PolicyAnswer | null {
  if (mode.testMode) return { choice: 'approve', by: 'test-mode' };
  if (mode.strict) return null;
  if (decision === 'APPROVED') return { choice: 'approve', by: 'verdict' };
  if (decision === 'REVISE') return { choice: 'revise', by: 'verdict' };
  if (!mode.auto) return null;
  throw new GatewrightError(
    'verdict-undecided',
    decision === 'DISCUSS'
      ? 'The reviewer asks for a person to decide something.'
      : (unclear ?? 'The verdict does not tick exactly one box.'),
  );
}
