/** Options that many commands have, said the same way everywhere. */
import type { Option } from './command.ts';

export const json: Option = { name: 'json', about: 'Print the result as JSON' };
export const repo: Option = {
  name: 'repo',
  value: 'PATH|OWNER/NAME',
  about: 'Another repository: its folder, or its name on the forge',
};
