/** The commands that answer the question of a pipeline: wherever its stop is told, the same ones stand there. */
import type { GateQuestion } from './gate.ts';

/** First the one that goes on. @param suffix options that every command needs here */
export function answersToPipeline(
  { kind }: Pick<GateQuestion, 'kind'>,
  number: number,
  suffix = '',
): readonly string[] {
  const solve = `gatewright solve ${number}`;
  const stop = `${solve} --stop "TEXT"`;
  const of: Readonly<Partial<Record<GateQuestion['kind'], readonly string[]>>> = {
    escalation: [`${solve} --proceed "TEXT"`, stop],
    blocked: [`${solve} --retry "TEXT"`, stop],
    work: [solve],
  };
  return (of[kind] ?? []).map((command) => `${command}${suffix}`);
}
