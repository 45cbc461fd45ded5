/**
 * Makes things happen on a local forge, or reads what happens, from a process of its own: DATABASE REPOSITORY ACTOR, then
 * `write COUNT` (issues with a label and a comment), `read COUNT` (events, one look after the other) or `look`.
 */
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { startTogether } from './start-together.ts';

const [file = '', repository = '', actor = '', role = '', count = ''] = process.argv.slice(2);
const database = openDatabase(file);
const forge = new LocalForge(database, systemClock, actor, process.env);
const ids: number[] = [];

async function write(): Promise<void> {
  for (let index = 1; index <= Number(count); index += 1) {
    const title = `${actor} ${index}`;
    const { number } = await forge.createIssue(repository, { title, body: '', labels: ['load'] });
    await forge.createComment(repository, number, title);
  }
}

async function read(): Promise<void> {
  while (ids.length < Number(count)) {
    const found = await forge.listEvents(repository, ids.at(-1) ?? 0, 7);
    ids.push(...found.map(({ id }) => id));
    if (found.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

await startTogether();
if (role === 'write') await write();
else if (role === 'read') await read();
else await forge.noticeHeads(repository);
database.close();
process.stdout.write(JSON.stringify(ids));
