/** Runs inside a private network: passes connections on between its ports and sockets in the file system, and answers for names. */
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { openNameServer } from './name-server.ts';
import type { GatewayOrder, GatewayOrders } from './private-network.ts';

/** Only TCP knows resets; a socket in the file system is closed. */
function breakOff(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

/** What breaks on one side breaks on the other; so does a connection that is closed without an answer, because that is how tests ask for it. */
function join(client: Socket, other: Socket): void {
  client.on('error', () => other.destroy()).once('close', () => other.destroySoon());
  other.on('error', () => breakOff(client));
  other.once('close', () => (other.bytesRead === 0 ? breakOff(client) : client.destroySoon()));
  client.pipe(other).pipe(client);
}

function listen(server: Server, where: object): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, resolve);
  });
}

const { listeners, nameServer, inbound } = JSON.parse(process.argv[2] ?? '') as GatewayOrders;
const open = (to: NetConnectOpts): Server =>
  createServer({ allowHalfOpen: true }, (client) => join(client, connect({ ...to, allowHalfOpen: true })));
const [names] = await Promise.all([
  nameServer === null ? null : openNameServer(nameServer),
  ...listeners.map(({ address, port, socket }) => listen(open({ path: socket }), { host: address, port })),
  ...inbound.map(({ socket, port }) => listen(open({ host: '127.0.0.1', port }), { path: socket })),
]);
process.stdout.write('ready\n');
for await (const line of createInterface(process.stdin)) {
  const { name, questions } = JSON.parse(line) as GatewayOrder;
  process.stdout.write(`${names?.fail(name, questions) ?? 0}\n`);
}
// When the test ends, however it does, so does this.
process.exit(0);
