/** How long the Claude Code CLI may take for an answer. */
import type { ModelRole } from './model-choice.ts';

const draftingSeconds = 300;

/** Five minutes for a draft. A code reviewer, who reads a whole change, may take as long as any other model. */
export function secondsOfCli(role: ModelRole, modelSeconds: number): number {
  return role === 'drafter' ? Math.min(draftingSeconds, modelSeconds) : modelSeconds;
}
