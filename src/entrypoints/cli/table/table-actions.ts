/** The commands that jobs of GitHub Actions run. */
import type { Command, Option } from './command.ts';

const agents: Option = {
  name: 'agents',
  value: 'NAMES',
  about: 'The agents of this workflow, with commas between them (required)',
};

export const actionsCommands: readonly Command[] = [
  {
    name: 'actions propose',
    about: 'In a job of GitHub Actions: ask the models that runs wait for; change nothing',
    more: 'Works on a copy of the ledger that is thrown away, and stops each run before the first change that is not made yet. The file holds what models answered and what coding agents left; it is signed for this workflow run. Needs a key of a model, and no token that may write. docs/propose-and-apply.md says how the jobs fit together.',
    options: [{ name: 'out', value: 'FILE', about: 'Where the proposal is written to (required)' }, agents],
    examples: [
      [
        'gatewright actions propose --agents reviewer --out proposal.json',
        'in the job with the key of a model',
      ],
    ],
    load: async () => (await import('../commands/actions/propose.ts')).propose,
  },
  {
    name: 'actions apply',
    about: 'In a job of GitHub Actions: record the event and go on with runs; ask no model',
    more: 'Without a proposal it goes as far as it gets without a model, and writes next=propose or next=done to $GITHUB_OUTPUT. With one it takes the answers from there; every change is worked out anew and checked against the rules and the world as it is now. A proposal that is not for this workflow run, or damaged, is refused whole.',
    options: [{ name: 'proposal', value: 'FILE', about: 'What the job before has proposed' }, agents],
    examples: [
      ['gatewright actions apply --agents reviewer', 'in the first job'],
      ['gatewright actions apply --agents reviewer --proposal proposal.json', 'in the last job'],
    ],
    load: async () => (await import('../commands/actions/apply.ts')).apply,
  },
];
