/**
 * Runs inside a sandbox that may reach some hosts: passes connections to ports on its loopback on to sockets that lead out,
 * and starts the command once it listens. It decides nothing; whatever is allowed is decided outside. A text, because it is
 * run by itself, where no file of ours is seen.
 *
 * Arguments: a JSON text (`doors`: address, port, socket; `hasSecret`), then the words of the command.
 */
export const forwarderScript = `
'use strict';
const net = require('node:net');
const { spawn } = require('node:child_process');
const [plan, program, ...args] = process.argv.slice(1);
const { doors, hasSecret } = JSON.parse(plan);

const open = ({ address, port, socket }) =>
  new Promise((resolve, reject) => {
    const server = net.createServer((client) => {
      const outside = net.connect(socket);
      for (const [one, other] of [[client, outside], [outside, client]]) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroySoon());
        one.pipe(other);
      }
    });
    server.once('error', reject);
    server.listen(port, address, resolve);
  });

// The whole group is told to end; the command decides when that is.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

Promise.all(doors.map(open)).then(
  () => {
    const stdio = ['inherit', 'inherit', 'inherit', ...(hasSecret ? [3] : [])];
    const child = spawn(program, args, { stdio });
    child.once('error', (error) => {
      process.stderr.write('gatewright: ' + program + ' cannot be started: ' + error.code + '\\n');
      process.exit(127);
    });
    child.once('exit', (code, signal) => process.exit(code ?? 128 + require('node:os').constants.signals[signal]));
    if (hasSecret) require('node:fs').closeSync(3);
  },
  (error) => {
    process.stderr.write('gatewright: the connection out of the sandbox cannot be opened: ' + error.code + '\\n');
    process.exit(125);
  },
);
`;
