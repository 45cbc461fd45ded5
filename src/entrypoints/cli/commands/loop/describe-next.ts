/** What a person can do about the question of a loop: the commands that answer it, and how its pull request is merged. */
import type { GateQuestion } from '../../../../domain/drafts/gate.ts';
import type { LoopRequest } from '../../../../domain/ledger/run.ts';
import type { House } from '../../../../runs/house.ts';

/** The task that a question is about; in a question about the whole branch there is none. */
function taskOf({ because = '' }: GateQuestion): string {
  return /US-\d{3,6}/u.exec(because)?.[0] ?? 'US-NNN';
}

type CommandsOf = (number: number, question: GateQuestion) => readonly string[];

const commandOfKind: Readonly<Partial<Record<GateQuestion['kind'], CommandsOf>>> = {
  scope: (number) => [
    `gatewright loop plan ${number} --answer "TEXT"`,
    `gatewright loop plan ${number} --quick`,
  ],
  plan: (number) => [
    `gatewright loop plan ${number} --approve`,
    `gatewright loop plan ${number} --revise "TEXT"`,
  ],
  work: (number) => [
    `gatewright loop implement loop --issue ${number}`,
    `gatewright loop implement next --issue ${number}`,
  ],
  blocked: (number, question) => [
    `gatewright loop retry ${number} --guidance "TEXT"`,
    `gatewright loop replan ${number} --change "TEXT"`,
    `gatewright loop skip ${number} ${taskOf(question)} --reason "TEXT"`,
  ],
  testing: (number) => [
    `gatewright loop testing ${number} works`,
    `gatewright loop testing ${number} issue --description "TEXT"`,
  ],
  close: (number) => [`gatewright loop close ${number}`],
  merge: (number) => [`gatewright loop close ${number}`],
};

export function answersTo(question: GateQuestion, number: number, suffix: string): string[] {
  return (commandOfKind[question.kind]?.(number, question) ?? []).map((command) => `${command}${suffix}`);
}

/** How to have the pull request of a loop merged; the loop itself does not merge. */
async function proposeMerge(house: House, run: { readonly id: string }): Promise<string[]> {
  const entries = await house.ledger.readRun(run.id);
  const made = entries.findLast((entry) => entry.kind === 'pull-request-made');
  if (made?.kind !== 'pull-request-made') return [];
  const { number } = made.data;
  const { state, url } = await house.forge.getPullRequest(house.repositoryName, number);
  if (state === 'merged') return [];
  if (state === 'closed')
    return [
      `Pull request #${number} was closed without a merge. Open it again, or give the loop up with: gatewright runs cancel ${run.id}${house.commandSuffix}`,
    ];
  return [
    house.forge.kind === 'local'
      ? `Merge it with: gatewright forge pr merge ${number} --squash${house.commandSuffix}`
      : `Review and merge it: ${url}`,
  ];
}

/** One line for each, in the order in which they are done. */
export async function describeNext(
  house: House,
  run: { readonly id: string; readonly request: Pick<LoopRequest, 'number'> },
  question: GateQuestion,
): Promise<string[]> {
  const answers = answersTo(question, run.request.number, house.commandSuffix);
  if (question.kind === 'merge')
    return [...(await proposeMerge(house, run)), ...answers.map((answer) => `Then: ${answer}`)];
  return answers.map((answer, index) => `${index === 0 ? 'Continue with' : '           or'}: ${answer}`);
}
