/** The commands of the pipeline: an issue goes through six stages to a pull request. */
import { stageNames } from '../../../workflows/pipeline/rules/stages.ts';
import type { Command, Option } from './command.ts';
import { agentModels, json, repo } from './table-options.ts';

const issue = { name: 'NUMBER', about: 'Issue number' } as const;

export function solveCommands(forge: Option): readonly Command[] {
  const looking = [repo, forge, json];
  return [
    {
      name: 'solve',
      about: 'Bring an issue through triage, analysis, writing, build and review',
      more: 'Six stages work on one state document, which issue-state.json shows at every moment. The build is run by Gatewright itself; a fix needs a test that fails without it. Run again, it goes on where it stopped.',
      args: [{ ...issue, isOptional: true }],
      options: [
        { name: 'until', value: 'STAGE', about: 'Stop after this stage', oneOf: [...stageNames] },
        {
          name: 'from',
          value: 'STAGE',
          about: 'Go back to this stage and on from there',
          oneOf: [...stageNames],
        },
        { name: 'dry-run', about: 'Show what each stage would be given; ask no model' },
        { name: 'proceed', value: 'TEXT', about: 'Answer what only a person may decide: go on' },
        { name: 'retry', value: 'TEXT', about: 'After the last attempt: try again with this advice' },
        { name: 'stop', value: 'TEXT', about: 'End the pipeline at its question; say why' },
        { name: 'resume', value: 'RUN', about: 'Continue a pipeline by the id of its run' },
        ...agentModels,
        ...looking,
      ],
      examples: [
        ['gatewright solve 42', 'begin, or go on'],
        ['gatewright solve 42 --until analyst', 'read the analysis first'],
      ],
      load: async () => (await import('../commands/solve/solve.ts')).solveIssue,
    },
    {
      name: 'solve status',
      about: 'Show how far pipelines are, and what each waits for',
      args: [{ ...issue, isOptional: true }],
      options: looking,
      load: async () => (await import('../commands/solve/solve-look.ts')).showPipelines,
    },
    {
      name: 'solve state',
      about: 'Print the state document of a pipeline, or check a file',
      args: [{ ...issue, isOptional: true }],
      options: [{ name: 'validate', value: 'FILE', about: 'Check this file instead' }, ...looking],
      load: async () => (await import('../commands/solve/solve-look.ts')).showState,
    },
  ];
}
