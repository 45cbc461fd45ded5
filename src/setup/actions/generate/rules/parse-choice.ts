/** What a person chose for GitHub Actions mode: from the command line, or from a file of the repository. */
import { z } from 'zod';
import { agentNames } from '../../../../domain/fleet/agent-names.ts';

/** GitHub's own labels, and those of machines of your own. */
const label = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/u);

const choiceSchema = z.object({
  agents: z.array(z.enum(agentNames)).min(1).max(agentNames.length),
  runner: z.array(label).min(1).max(20),
  // Stands in the file as a text in quotes.
  source: z
    .string()
    .max(1000)
    .regex(/^[\w./@+ -]+$/u)
    .optional(),
});

type Choice = Omit<z.infer<typeof choiceSchema>, 'source'> & { readonly source: string | null };

/** Null where it cannot be used. */
export function parseChoice(given: unknown): Choice | null {
  const { data } = choiceSchema.safeParse(given);
  if (data === undefined) return null;
  const agents = agentNames.filter((name) => data.agents.includes(name));
  return { agents, runner: data.runner, source: data.source ?? null };
}
