/** The commands of the loop: an issue is planned, approved, and worked off task by task. */
import type { Command, Option } from './command.ts';
import { agentModels, json, repo } from './table-options.ts';

const issue = { name: 'NUMBER', about: 'Issue number' } as const;

export function loopCommands(forge: Option): readonly Command[] {
  const models = agentModels.filter(({ name }) => name === 'coder' || name === 'planner');
  const driving = [...models, repo, forge, json];
  const looking = [repo, forge, json];
  return [
    {
      name: 'loop setup',
      about: 'Make the labels, the issue form and .issueloop.config.json of the loop',
      more: 'Makes only what is missing. Run again, it changes nothing.',
      options: [{ name: 'dry-run', about: 'Show what would be made; change nothing' }, ...looking],
      load: async () => (await import('../commands/loop/loop-setup.ts')).setUpLoop,
    },
    {
      name: 'loop list',
      about: 'List the open issues and how far the loop is with each',
      options: looking,
      load: async () => (await import('../commands/loop/loop-look.ts')).listLoops,
    },
    {
      name: 'loop plan',
      about: 'Plan an issue as tasks, and approve or revise the plan',
      more: 'Reads the issue, asks what it leaves open, has the tasks planned and posts the plan. Approving it writes prd.json onto the branch of the issue and grants its verify commands; no other command is ever run.',
      args: [issue],
      options: [
        { name: 'quick', about: 'Ask nothing about the scope' },
        { name: 'answer', value: 'TEXT', about: 'Answer the questions about the scope' },
        { name: 'approve', about: 'Approve the plan that was posted' },
        { name: 'revise', value: 'TEXT', about: 'Have the plan changed' },
        ...driving,
      ],
      examples: [
        ['gatewright loop plan 42', 'begin'],
        ['gatewright loop plan 42 --approve', 'after reading the plan'],
      ],
      load: async () => (await import('../commands/loop/loop-steps.ts')).planLoop,
    },
    {
      name: 'loop implement',
      about: 'Do the next task of an approved plan, or all of them',
      more: 'Each task gets an agent that knows nothing but its task, the plan, the logs and the code. Afterwards the verify commands of the approved plan are run on a clean copy; what the agent says counts for nothing.',
      args: [
        {
          name: 'HOW',
          about: 'start or next: one task; loop: one after the other until a person is needed',
          isOptional: true,
          oneOf: ['start', 'next', 'loop'],
        },
      ],
      options: [
        { name: 'issue', value: 'NUMBER', about: 'Which issue (default: the only one with a loop)' },
        ...driving,
      ],
      examples: [
        ['gatewright loop implement', 'the next task'],
        ['gatewright loop implement loop --issue 42', 'all of them'],
      ],
      load: async () => (await import('../commands/loop/loop-steps.ts')).implementLoop,
    },
    {
      name: 'loop testing',
      about: 'Say how testing the finished work went: works, issue or later',
      args: [issue, { name: 'ANSWER', about: 'How it went', oneOf: ['works', 'issue', 'later'] }],
      options: [
        {
          name: 'type',
          value: 'TYPE',
          about: 'Of an issue: its kind',
          oneOf: ['Behavior', 'Error', 'Missing', 'Visual', 'Other'],
        },
        { name: 'location', value: 'TASK', about: 'Of an issue: the task or the place, such as US-002' },
        { name: 'description', value: 'TEXT', about: 'Of an issue: what happens, and what should happen' },
        ...driving,
      ],
      examples: [
        ['gatewright loop testing 42 works', 'ready to be closed'],
        ['gatewright loop testing 42 issue --description "The list is empty"', 'have it mended'],
      ],
      load: async () => (await import('../commands/loop/loop-steps.ts')).testLoop,
    },
    {
      name: 'loop close',
      about: 'Report, archive and open the pull request; after the merge: end the loop',
      more: 'Closes a loop that was tested. With --force also one that was not, or whose tasks have not all passed: that is your word, which the ledger and the report keep. The pull request is reviewed and merged by the same rules.',
      args: [issue],
      options: [
        { name: 'preview', about: 'Show what closing would do; change nothing' },
        { name: 'force', about: 'Close although tasks are open or it was not tested' },
        { name: 'reason', value: 'TEXT', about: 'With --force: why; it is kept in the report' },
        ...driving,
      ],
      examples: [['gatewright loop close 42 --preview', 'what would happen']],
      load: async () => (await import('../commands/loop/loop-steps.ts')).closeLoopOf,
    },
    {
      name: 'loop retry',
      about: 'Have a task tried again that failed too often',
      args: [issue],
      options: [
        { name: 'guidance', value: 'TEXT', about: 'What the agent should know this time' },
        ...driving,
      ],
      load: async () => (await import('../commands/loop/loop-steps.ts')).retryLoop,
    },
    {
      name: 'loop replan',
      about: 'Have what is left of a blocked loop planned anew',
      args: [issue],
      options: [{ name: 'change', value: 'TEXT', about: 'What should be different' }, ...driving],
      load: async () => (await import('../commands/loop/loop-steps.ts')).replanLoop,
    },
    {
      name: 'loop skip',
      about: 'Count a task as passed on your word',
      args: [issue, { name: 'TASK', about: 'Such as US-003' }],
      options: [{ name: 'reason', value: 'TEXT', about: 'Why; it is kept with the task' }, ...driving],
      load: async () => (await import('../commands/loop/loop-steps.ts')).skipLoopTask,
    },
    {
      name: 'loop resume',
      about: 'Continue a loop by the id of its run',
      args: [{ name: 'RUN', about: 'Id of the run; its beginning is enough' }],
      options: driving,
      load: async () => (await import('../commands/loop/loop-steps.ts')).resumeLoopRun,
    },
    {
      name: 'loop status',
      about: 'Show the tasks of loops, and what each loop waits for',
      args: [{ ...issue, isOptional: true }],
      options: looking,
      load: async () => (await import('../commands/loop/loop-look.ts')).showLoops,
    },
    {
      name: 'loop context',
      about: 'Print just what the next agent of a task would be told',
      args: [issue, { name: 'TASK', about: 'Such as US-003 (default: the next one)', isOptional: true }],
      options: looking,
      load: async () => (await import('../commands/loop/loop-look.ts')).showContext,
    },
    {
      name: 'loop wisp add',
      about: 'Give the next agents a hint that holds for a short while',
      args: [issue, { name: 'TEXT', about: 'The hint' }],
      options: [
        { name: 'task', value: 'TASK', about: 'The task that it is about, such as US-003' },
        { name: 'minutes', value: 'COUNT', about: 'How long it holds (default: as configured, 90)' },
        ...looking,
      ],
      examples: [['gatewright loop wisp add 42 "The test server is slow today" --task US-003', '']],
      load: async () => (await import('../commands/loop/loop-wisps.ts')).addLoopWisp,
    },
    {
      name: 'loop wisp list',
      about: 'List the hints of a loop, and until when they hold',
      args: [issue],
      options: looking,
      load: async () => (await import('../commands/loop/loop-wisps.ts')).listLoopWisps,
    },
    {
      name: 'loop wisp promote',
      about: 'Make a hint last: as a discovery note, or as a task',
      more: 'A hint that is not promoted is lost when its time is over. A task takes verify commands of the approved plan, and no others.',
      args: [issue, { name: 'WISP', about: 'Its id, such as wsp_0123456789ab' }],
      options: [
        { name: 'to', value: 'WHAT', about: 'note (default) or task', oneOf: ['note', 'task'] },
        { name: 'task', value: 'TASK', about: 'The task that it is about, if the hint names none' },
        {
          name: 'verify',
          value: 'COMMAND',
          about:
            'Of a new task: a command of the approved plan (default: those of the task that it is about)',
          repeatable: true,
        },
        ...looking,
      ],
      load: async () => (await import('../commands/loop/loop-wisps.ts')).promoteLoopWisp,
    },
  ];
}
