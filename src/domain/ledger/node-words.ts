/** What a run does in a node, in words: the names of nodes are for the code. Those of the authoring workflow are known to people. */

const words: Readonly<Record<string, string>> = {
  load: 'loading the issue',
  scope_gate: 'asking what the issue leaves open',
  plan: 'planning',
  plan_gate: 'waiting for an approval of the plan',
  approve: 'putting the approved plan on the branch',
  work_gate: 'waiting to go on',
  escalation_gate: 'waiting for a person to decide',
  select_task: 'choosing the next task',
  work: 'working on the task',
  judge: 'judging the attempt',
  skip: 'skipping a task',
  replan_checkpoint: 'stopping for a new plan',
  blocked_gate: 'waiting for a decision',
  check_all: 'running all commands on the whole branch',
  testing_gate: 'waiting for a person to test it',
  debug: 'mending what testing found',
  judge_fix: 'judging the fix',
  verified: 'noting that it works',
  close_gate: 'waiting to be closed',
  close: 'closing',
  merge_gate: 'waiting for the merge',
  look_at_merge: 'looking whether it is merged',
};

export function describeNode(node: string): string {
  return Object.hasOwn(words, node) ? (words[node] ?? node) : node;
}
