/** Makes what reads and writes recordings; none that it writes holds a key of this machine. */
import { CassetteFiles } from '../adapters/cassette/cassette-files.ts';
import type { BaseConfig } from '../config/read-config.ts';
import { readSecrets } from '../config/read-secrets.ts';
import type { Cassettes } from '../ports/cassettes.ts';

export function composeCassettes(config: BaseConfig): Cassettes {
  return new CassetteFiles(() => readSecrets(config));
}
