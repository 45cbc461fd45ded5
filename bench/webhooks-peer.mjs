/**
 * The peer of the webhook bench: Probot as its documentation shows it, with an empty handler or with one that inserts each
 * delivery into SQLite. Run from the folder that it is installed in.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createNodeMiddleware, createProbot } from 'probot';

const [database, nativeLibrary] = process.argv.slice(2);
const probot = createProbot({
  overrides: {
    appId: 1,
    privateKey: process.env.BENCH_PRIVATE_KEY,
    secret: process.env.BENCH_SECRET,
    logLevel: 'fatal',
  },
});

function makeInsert() {
  const Database = createRequire(import.meta.url)(nativeLibrary);
  const connection = new Database(database);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.exec('CREATE TABLE deliveries (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
  return connection.prepare('INSERT OR IGNORE INTO deliveries (id, body) VALUES (?, ?)');
}

const insert = database === undefined ? null : makeInsert();
const middleware = await createNodeMiddleware(
  (app) => {
    app.on('issue_comment', async ({ id, payload }) => {
      insert?.run(id, JSON.stringify(payload));
    });
  },
  { probot, webhooksPath: '/webhook' },
);
const server = createServer((request, response) => void middleware(request, response));
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening ${server.address().port}\n`));
