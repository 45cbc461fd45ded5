/** The overview of all commands: under which heading each first word stands, and what it is for in a line. */

interface CommandGroup {
  readonly title: string;
  readonly words: readonly (readonly [word: string, about: string])[];
}

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Start here',
    words: [
      ['demo', 'Watch an idea become merged code, with recorded models'],
      ['init', 'Set a repository up: configuration, folders, labels'],
      ['doctor', 'Check what is needed, and say how to get what is missing'],
    ],
  },
  {
    title: 'Authoring',
    words: [
      ['issue', 'Turn a brief into a reviewed, filed issue'],
      ['lld', 'Turn an issue into an approved low-level design; lld status'],
      ['gates', 'List the questions that wait for your answer'],
      ['gate', 'Answer one of them: gate answer'],
    ],
  },
  {
    title: 'Larger work',
    words: [
      ['solve', 'Bring an issue through six stages; solve status, solve state'],
      ['loop', 'Work an issue off task by task: loop plan, implement, close'],
    ],
  },
  {
    title: 'Agents',
    words: [
      ['watch', 'Let agents act on events of the local forge and on schedules'],
      ['serve', 'Let agents act on events and schedules; show the dashboard'],
      ['dispatch', 'Let agents act on one event, or resume one run'],
      ['agents', 'What starts each agent, and what it may do'],
      ['learnings', 'What agents have learned; correct it: learnings edit, remove'],
      ['notify', 'Tell people what waits, outside the forge; notify test'],
      ['labels', 'The labels that agents use, and who may set them; labels sync'],
    ],
  },
  {
    title: 'Look',
    words: [
      ['status', 'What waits for you, what runs, what stopped and why'],
      ['explain', 'Why an issue, pull request or run is where it is'],
      ['runs', 'List the runs, or show one step by step: runs show'],
      ['ledger', 'Show the record of a subject, or prove it: ledger show, verify'],
      ['record', 'Record a past run to a file'],
      ['replay', 'Play a recorded run again, or fork it from a step'],
    ],
  },
  {
    title: 'Local forge',
    words: [['forge', 'Issues, pull requests, labels, builds, permissions: forge issue …']],
  },
  {
    title: 'Set up',
    words: [
      ['actions', 'GitHub Actions: actions lint, and what its jobs run'],
      ['feedback', 'Print what a bug report should hold, without your texts'],
      ['config', 'Check the settings, or show where each comes from'],
      ['completion', 'Print a script that completes commands in your shell'],
    ],
  },
];
