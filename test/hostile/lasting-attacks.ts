/** Attacks that stay, reach others, or send something away: processes, signals, sockets, networks. */
import { type Attack, node } from './attack.ts';

const processes: Attack[] = [
  {
    name: 'leaves a process in the background',
    script: ({ long }) => `nohup sleep ${long} > /dev/null 2>&1 &`,
  },
  {
    name: 'leaves a process in a session of its own',
    script: ({ long }) => `setsid sleep ${long} > /dev/null 2>&1 < /dev/null &`,
  },
  {
    name: 'leaves a process that was forked twice, without variables',
    script: ({ long }) =>
      `(env -i setsid sh -c "(trap '' TERM HUP INT; sleep ${long}; sleep ${long}) &" > /dev/null 2>&1 &)`,
  },
  {
    name: 'leaves a process that holds its output open',
    script: ({ long }) => `setsid sleep ${long} & setsid sh -c "trap '' TERM; sleep ${long}" & echo gone`,
    told: /gone/u,
  },
  {
    name: 'leaves two hundred processes',
    script: ({ long }) =>
      `for number in $(seq 200); do setsid sleep ${long} > /dev/null 2>&1 & done; echo many`,
    told: /many/u,
  },
  {
    name: 'leaves something that changes its work afterwards',
    script: () => `(setsid sh -c 'sleep 0.5; echo late > late.txt' > /dev/null 2>&1 &); true`,
  },
  {
    name: 'does not end, whatever it is told',
    script: ({ long }) =>
      `trap '' TERM INT HUP; setsid sh -c "trap '' TERM; sleep ${long}" & while :; do sleep ${long}; done`,
    limitMilliseconds: 700,
    result: { timedOut: true, exitCode: null },
  },
  {
    name: 'kills a process outside',
    script: ({ helperId }) => `kill -9 ${helperId}; kill -0 ${helperId}; true`,
    told: /No such process/u,
  },
  {
    name: 'kills what keeps it in',
    script: () => `test "$(cat /proc/1/comm)" != systemd && kill -9 1; kill -9 $PPID; echo still`,
    told: /still/u,
  },
  {
    name: 'traces its parent',
    script: ({ helperId }) =>
      `timeout 1 strace -p 1 -e none -o /dev/null; gdb -p ${helperId} -batch; echo x > /proc/1/mem; echo 1000 > /proc/${helperId}/oom_score_adj; renice 19 ${helperId}; true`,
  },
  {
    name: 'leaves something in its home for the next one',
    script: () =>
      `cat ~/.profile ~/.gitconfig /tmp/left; echo 'echo trapped' > ~/.profile; git config --global core.fsmonitor evil; echo x > /tmp/left; test -s ~/.gitconfig && echo kept`,
    told: /No such file[\s\S]+kept/u,
  },
];

const connect = (to: string) =>
  node(`
    const socket = require('node:net').connect(${to});
    socket.on('data', (chunk) => console.log(chunk.toString()));
    socket.on('error', (error) => console.log('refused', error.code));
    socket.on('connect', () => socket.write('GET / HTTP/1.0\\r\\n\\r\\n'));
    setTimeout(() => process.exit(), 2000).unref();`);

const unreachable = /refused (?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENOENT|EACCES|EAI_AGAIN|ENOTFOUND)/u;

const networks: Attack[] = [
  {
    name: 'reaches a server on the loopback of this machine',
    script: ({ port }) => connect(`${port}, '127.0.0.1'`),
    wouldFind: true,
    told: unreachable,
  },
  {
    name: 'reaches an abstract socket',
    script: ({ mark }) => connect(`'\\0${mark}'`),
    wouldFind: true,
    told: unreachable,
  },
  {
    name: 'reaches a socket in the file system',
    script: ({ socket }) => `${connect(`'${socket}'`)}; ls -la /run /var/run; echo "$SSH_AUTH_SOCK"`,
    wouldFind: true,
    told: unreachable,
  },
  { name: 'reaches an address of the internet', script: () => connect(`443, '1.1.1.1'`), told: unreachable },
  {
    name: 'reaches an address of the internet (IPv6)',
    script: () => connect(`443, '2606:4700:4700::1111'`),
    told: unreachable,
  },
  {
    name: 'reaches the services of a cloud',
    script: () => connect(`80, '169.254.169.254'`),
    told: unreachable,
  },
  { name: 'resolves a name', script: () => connect(`443, 'github.com'`), told: unreachable },
  {
    name: 'sends away in questions to a name server',
    script: () =>
      node(`
        const socket = require('node:dgram').createSocket('udp4');
        socket.on('error', (error) => console.log('refused', error.code));
        for (const to of ['1.1.1.1', '8.8.8.8', '10.0.0.1']) socket.send('x', 53, to, (error) => { console.log('refused', error?.code); socket.unref(); });`),
    told: /(?:refused (?:ENETUNREACH|EPERM)\s+){3}/u,
  },
  {
    name: 'brings up an interface',
    script: () =>
      'ip link add evil type dummy; ip addr add 10.9.9.9/24 dev lo; ip route add default via 127.0.0.1; ping -c 1 -W 1 1.1.1.1; ls /sys/class/net; true',
    told: /Operation not permitted/u,
  },
];

/** With one host allowed, as an agent has the one of its model. */
const oneHost = () => ({ hosts: ['model.invalid:443'] });

const gates: Attack[] = [
  {
    name: 'asks the proxy for another host',
    script: ({ port }) =>
      `curl -sS -m 3 https://github.com/; curl -sS -m 3 -p -x $HTTPS_PROXY http://127.0.0.1:${port}/; curl -sS -m 3 -x $HTTPS_PROXY --noproxy '' http://127.0.0.1:${port}/`,
    network: oneHost,
    told: /tunnel failed, response 403/u,
  },
  {
    name: 'asks the proxy with names that look like the right one',
    script: ({ port }) => {
      const targets = [
        `model.invalid:443@127.0.0.1:${port}`,
        `127.0.0.1:${port}#model.invalid:443`,
        `model.invalid:${port}`,
        'model.invalid.:443',
        `2130706433:${port}`,
        `0x7f000001:${port}`,
        `127.1:${port}`,
        `[::ffff:127.0.0.1]:${port}`,
        `localhost:${port}`,
        `model.invalid:443\\r\\nHost: 127.0.0.1:${port}`,
      ];
      return node(`
        for (const target of ${JSON.stringify(targets).replaceAll('\\\\', '\\')}) {
          const socket = require('node:net').connect(3128, '127.0.0.1');
          socket.on('data', (chunk) => process.stdout.write(chunk)).on('error', () => {});
          socket.write('CONNECT ' + target + ' HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n');
        }
        setTimeout(() => process.exit(), 500);`);
    },
    network: oneHost,
    told: /403 Forbidden/u,
  },
  {
    name: 'puts itself in the place of the proxy',
    script: () =>
      `rm -f /run/gatewright/proxy; ls /run/gatewright; pkill -f proxy; kill -9 $PPID; ln -s /tmp/x /run/gatewright/y; echo still`,
    network: oneHost,
  },
];

export const lastingAttacks: readonly Attack[] = [...processes, ...networks, ...gates];
