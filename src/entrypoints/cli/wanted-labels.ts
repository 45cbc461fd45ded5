/** The labels that a repository should have: ours, in the colours that its file gives them, and those that only the file names. */
import type { Config } from '../../config/load-config.ts';
import { labelColour, standardLabels } from '../../domain/forge/label-table.ts';
import type { ForgeLabel } from '../../ports/forge/forge.ts';

export function wantedLabels(config: Config): ForgeLabel[] {
  const labels = new Map<string, ForgeLabel>(standardLabels.map((one) => [one.name.toLowerCase(), one]));
  for (const { name, colour, description } of config.labels) {
    const known = labels.get(name.toLowerCase());
    labels.set(name.toLowerCase(), {
      name: known?.name ?? name,
      colour: colour?.toLowerCase() ?? known?.colour ?? labelColour(name),
      description: description ?? known?.description ?? '',
    });
  }
  return [...labels.values()];
}
