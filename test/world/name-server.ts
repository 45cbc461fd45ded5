/** A server of names: it answers questions for the addresses of a few, says that there are no others, and fails when it is told to. */
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { NameTable } from './private-network.ts';

const types = { A: 1, AAAA: 28 } as const;
const responses = { fine: 0, failure: 2, unknown: 3 } as const;

interface Question {
  readonly name: string;
  readonly type: number;
  /** Where it ends in the packet. */
  readonly end: number;
}

function readQuestion(packet: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 };
}

/** An address as the bytes of a record. */
function encodeAddress(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const known = [groups(head), groups(tail)] as const;
  const zeros = Array.from({ length: 8 - known[0].length - known[1].length }, () => '0');
  const all = [...known[0], ...zeros, ...known[1]].map((group) => Number.parseInt(group, 16));
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

function answer(packet: Buffer, { end }: Question, code: number, addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(12);
  packet.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = encodeAddress(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(data.length === 4 ? types.A : types.AAAA, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, packet.subarray(12, end), ...records]);
}

interface NameServer {
  /** Fails to answer so many of the next questions for a name; returns how many it has failed to answer so far, for any. */
  fail(name: string, questions: number): number;
}

export function openNameServer({ address, names }: NameTable): Promise<NameServer> {
  const failures = new Map<string, number>();
  let failed = 0;
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  socket.on('message', (packet, from) => {
    const question = readQuestion(packet);
    const known = names[question.name];
    const left = failures.get(question.name) ?? 0;
    failures.set(question.name, left - 1);
    const fails = left > 0;
    if (fails) failed += 1;
    const wanted = (known ?? []).filter((one) => (isIPv6(one) ? types.AAAA : types.A) === question.type);
    const code = fails ? responses.failure : known === undefined ? responses.unknown : responses.fine;
    socket.send(answer(packet, question, code, fails ? [] : wanted), from.port, from.address);
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    const fail: NameServer['fail'] = (name, questions) => {
      failures.set(name, questions);
      return failed;
    };
    socket.bind(53, address, () => resolve({ fail }));
  });
}
