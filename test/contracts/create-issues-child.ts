/** Files issues on a local forge from a process of its own: DATABASE REPOSITORY ACTOR COUNT. */
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { startTogether } from './start-together.ts';

const [file = '', repository = '', actor = '', count = ''] = process.argv.slice(2);
await startTogether();
const database = openDatabase(file);
const forge = new LocalForge(database, systemClock, actor, process.env);
const numbers: number[] = [];
for (let index = 1; index <= Number(count); index += 1) {
  const issue = await forge.createIssue(repository, {
    title: `${actor} ${index}`,
    body: '',
    labels: ['load'],
  });
  numbers.push(issue.number);
}
database.close();
process.stdout.write(JSON.stringify(numbers));
