/** The commands for what agents have learned about a repository. */
import type { Command, Option } from './command.ts';
import { json, repo } from './table-options.ts';

const id = { name: 'ID', about: 'Id of a learning, or how it begins: gatewright learnings' } as const;

export function learningCommands(forge: Option): readonly Command[] {
  const looking = [repo, forge, json];
  const load = async () => (await import('../commands/learnings.ts')).listLearnings;
  return [
    {
      name: 'learnings',
      about: 'What agents have learned about the repository, surest first',
      options: looking,
      load,
    },
    {
      name: 'learnings list',
      about: 'The same as: gatewright learnings',
      options: looking,
      load,
    },
    {
      name: 'learnings edit',
      about: 'Correct a learning; from then on your words count',
      args: [id],
      options: [{ name: 'text', value: 'TEXT', about: 'What is so, in a sentence' }, ...looking],
      examples: [['gatewright learnings edit L3f9a0c11d --text "Tests run with vitest"', 'correct it']],
      load: async () => (await import('../commands/learnings.ts')).editOneLearning,
    },
    {
      name: 'learnings remove',
      about: 'Have a learning forgotten; it is not learned again',
      args: [id],
      options: [{ name: 'reason', value: 'TEXT', about: 'Why, for the ledger' }, ...looking],
      load: async () => (await import('../commands/learnings.ts')).removeOneLearning,
    },
  ];
}
