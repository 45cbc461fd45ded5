/** Which key chooses which answer: `a` the first one, `r` the one that takes words, and the gate's own letters. */
import type { Gate } from '../../data/answers.ts';

type Choice = Gate['choices'][number];

/** Keys that mean something on every page. */
const taken = ['j', 'k', '/', '?'];

/** The key that is shown for each choice, by its name. */
export function chooseKeys(choices: readonly Choice[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const used = new Set(taken);
  const give = (choice: Choice | undefined, key: string): void => {
    if (choice === undefined || keys.has(choice.name) || used.has(key)) return;
    keys.set(choice.name, key);
    used.add(key);
  };
  const own = (letter: string): Choice | undefined => choices.find(({ key }) => key.toLowerCase() === letter);
  give(own('a') ?? choices.find(({ takesFeedback }) => !takesFeedback), 'a');
  give(own('r') ?? choices.find(({ takesFeedback, name }) => takesFeedback && !keys.has(name)), 'r');
  for (const choice of choices) give(choice, choice.key.toLowerCase());
  return keys;
}
