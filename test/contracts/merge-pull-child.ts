/** Merges a pull request of a local forge from a process of its own: DATABASE REPOSITORY ACTOR NUMBER HEAD, or several: … MERGE. */
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { isGatewrightError } from '../../src/errors.ts';
import type { JointMerge } from '../../src/ports/forge/forge.ts';
import { startTogether } from './start-together.ts';

const [file = '', repository = '', actor = '', number = '', head = ''] = process.argv.slice(2);
await startTogether();
const database = openDatabase(file);
const forge = new LocalForge(database, systemClock, actor, process.env);
let result: string;
try {
  const merge = { head, title: `Merge ${number}`, body: '' };
  result = number.startsWith('{')
    ? (await forge.mergeTogether(repository, JSON.parse(number) as JointMerge)).commits.join(' ')
    : (await forge.mergePullRequest(repository, Number(number), merge)).commit;
} catch (error) {
  if (!isGatewrightError(error)) throw error;
  result = error.code;
}
database.close();
process.stdout.write(JSON.stringify(result));
