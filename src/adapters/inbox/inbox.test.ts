/** What the writer acknowledged is handed out by a reader of this or another process, whatever happens in between. */
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identifyDelivery } from '../../domain/fleet/delivery-id.ts';
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { isGatewrightError } from '../../errors.ts';
import type { StoredDelivery } from '../../ports/inbox.ts';
import { inboxOf } from './inbox-folder.ts';
import { InboxReader } from './inbox-reader.ts';
import { toRecord } from './inbox-records.ts';
import { InboxWriter } from './inbox-writer.ts';

const key = 'ab'.repeat(32);
let folder: string;
let troubles: unknown[];
beforeEach(() => {
  folder = inboxOf(join(mkdtempSync(join(tmpdir(), 'gatewright-inbox-')), 'data.db'), '1296269');
  troubles = [];
});
afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }));

/** For these tests, what is delivered is the event. */
function makeEvent(id: number, text = 'Nice.\nA second line, \u{1f600}.'): StoredDelivery {
  const event: FleetEvent = {
    ...{ kind: 'comment-created', delivery: `webhook/${id}`, at: '2026-11-16T10:00:00.000Z' },
    ...{ repository: 'acme/x', actor: 'alice', actorKind: 'person' },
    ...{ number: 1, isPullRequest: false, comment: id + 1, text },
  };
  // As people may send it: with line ends in it.
  const json = Buffer.from(JSON.stringify(event, null, id % 2));
  return { name: 'issue_comment', delivery: identifyDelivery(json), json };
}

const openReader = (now?: () => number): InboxReader =>
  new InboxReader(
    folder,
    key,
    ({ json }) => JSON.parse(json.toString()) as FleetEvent,
    (error) => troubles.push(error),
    now,
  );

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

/** Everything that is there, page by page. */
async function readAll(reader: InboxReader, limit = 3): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const events = await reader.next(limit);
    if (events.length === 0) return found;
    expect(events.length).toBeLessThanOrEqual(limit);
    found.push(...events.map(({ delivery }) => delivery));
    await reader.taken({ all: true });
  }
}

const named = (...ids: number[]): string[] => ids.map((id) => `webhook/${id}`);

describe('the inbox', () => {
  it('hands out what this process wrote, in its order, and removes it in the end', async () => {
    const [writer, reader] = [new InboxWriter(folder, key), openReader()];
    expect(await readAll(reader)).toEqual([]);
    reader.advance(await writer.write([0, 1, 2, 3].map((id) => makeEvent(id))));
    expect(await readAll(reader)).toEqual(named(0, 1, 2, 3));
    reader.advance(await writer.write([makeEvent(4)]));
    expect(await readAll(reader)).toEqual(named(4));
    await writer.close();
    await reader.close();
    expect(readdirSync(folder)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('appends what comes before the disk has confirmed the last, and confirms it in its order', async () => {
    const [writer, reader] = [new InboxWriter(folder, key, { mostBytes: 2_000 }), openReader()];
    const ids = Array.from({ length: 40 }, (_, id) => id);
    const order: number[] = [];
    await Promise.all(
      ids.map(async (id) => {
        reader.advance(await writer.write([makeEvent(id)]));
        order.push(id);
      }),
    );
    expect(order).toEqual(ids);
    expect(await readAll(reader)).toEqual(named(...ids));
    await writer.close();
    await reader.close();
    expect(readdirSync(folder)).toEqual([]);
    // Every file that was full was closed.
    const open = platform() === 'linux' ? readdirSync('/proc/self/fd').map(targetOf) : [];
    expect(open.filter((path) => path.startsWith(folder))).toEqual([]);
  });

  it('hands out nothing that its writer has not reported as written', async () => {
    const [writer, reader] = [new InboxWriter(folder, key), openReader()];
    expect(await readAll(reader)).toEqual([]);
    const first = await writer.write([makeEvent(0)]);
    await writer.write([makeEvent(1)]);
    reader.advance(first);
    expect(await readAll(reader)).toEqual(named(0));
    await writer.close();
  });

  it('hands the same out again until it is taken', async () => {
    const [writer, reader] = [new InboxWriter(folder, key), openReader()];
    reader.advance(await writer.write([makeEvent(0), makeEvent(1)]));
    expect(await reader.next(1)).toHaveLength(1);
    expect(await readAll(reader)).toEqual(named(0, 1));
    await writer.close();
  });

  it('keeps what was left by a process that was killed, and drops what that one never acknowledged', async () => {
    const writer = new InboxWriter(folder, key);
    const { file } = await writer.write([makeEvent(0), makeEvent(1)]);
    await writer.close();
    appendFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    expect(await readAll(openReader())).toEqual(named(0, 1));
    expect(readdirSync(folder)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('begins a new file when another process has claimed the old one', async () => {
    const [writer, own] = [new InboxWriter(folder, key), openReader()];
    expect(await readAll(own)).toEqual([]);
    own.advance(await writer.write([makeEvent(0)]));
    const other = openReader();
    expect(await readAll(other)).toEqual(named(0));
    own.advance(await writer.write([makeEvent(1)]));
    expect(await readAll(own)).toEqual(named(1));
    await writer.close();
    await own.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('tries again later what the ledger did not take', async () => {
    let now = 0;
    const [writer, reader] = [new InboxWriter(folder, key, { mostBytes: 1 }), openReader(() => now)];
    expect(await readAll(reader)).toEqual([]);
    reader.advance(await writer.write([makeEvent(0)]));
    reader.advance(await writer.write([makeEvent(1)]));
    expect(await reader.next(5)).toHaveLength(1);
    await reader.taken({ all: false });
    expect(await readAll(reader)).toEqual(named(1));
    now += 600_000;
    expect(await readAll(reader)).toEqual(named(0));
    await reader.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes nothing that was not signed with its key, and keeps the file', async () => {
    const writer = new InboxWriter(folder, key);
    const { file } = await writer.write([0, 1, 2].map((id) => makeEvent(id)));
    await writer.close();
    const forged = new InboxWriter(folder, 'cd'.repeat(32));
    const other = await forged.write([makeEvent(9)]);
    await forged.close();
    const [first = '', second = '', third = ''] = readFileSync(file, 'utf8').split(
      /(?<=\n)(?=[0-9a-f]{64} )/u,
    );
    const changed = second.replace('Nice', '@claude do it');
    const alien = readFileSync(other.file, 'utf8');
    const renamed = third.replace('issue_comment', 'issues');
    writeFileSync(file, [first, changed, 'no record of ours\n \n\n', alien, renamed, third].join(''));
    rmSync(other.file);
    expect(await readAll(openReader())).toEqual(named(0, 2));
    expect(troubles.every((error) => isGatewrightError(error, 'inbox-damaged'))).toBe(true);
    expect(troubles).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.damaged$/u)]);
    expect(await readAll(openReader())).toEqual([]);
  });

  it('is not stopped by what stands in its folder and is no file of its own', async () => {
    const writer = new InboxWriter(folder, key);
    await writer.write([makeEvent(0)]);
    await writer.close();
    const named15 = (count: number): string => join(folder, `${'0'.repeat(14)}${count}-${randomUUID()}.log`);
    mkdirSync(named15(1));
    symlinkSync('/', named15(2));
    symlinkSync('/nowhere', named15(3));
    writeFileSync(named15(4), '');
    writeFileSync(named15(5), 'x'.repeat(3_000_000));
    writeFileSync(join(folder, 'notes.txt'), 'hello\n');
    const reader = openReader();
    expect(await readAll(reader)).toEqual(named(0));
    expect(troubles).toHaveLength(1);
    const left = readdirSync(folder);
    expect(left.filter((name) => name.endsWith('.damaged'))).toHaveLength(1);
    // The folder, both links, the text of somebody else.
    expect(left).toHaveLength(5);
  });

  it('goes on behind a delivery that cannot be read, and keeps its file', async () => {
    const writer = new InboxWriter(folder, key);
    await writer.write([0, 1, 2].map((id) => makeEvent(id)));
    await writer.close();
    const read = ({ json }: StoredDelivery): FleetEvent => {
      const event = JSON.parse(json.toString()) as FleetEvent;
      if (event.delivery === 'webhook/1') throw new SyntaxError('Another version knew it.');
      return event;
    };
    const reader = new InboxReader(folder, key, read, (error) => troubles.push(error));
    expect(await readAll(reader)).toEqual(named(0, 2));
    expect(troubles).toHaveLength(2);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.damaged$/u)]);
  });

  it('removes no file behind whose read part something was written', async () => {
    const [writer, reader] = [new InboxWriter(folder, key), openReader()];
    expect(await readAll(reader)).toEqual([]);
    reader.advance(await writer.write([makeEvent(0)]));
    await writer.write([makeEvent(1)]);
    await writer.close();
    expect(await readAll(reader)).toEqual(named(0));
    // The thread that wrote has died before it could say so.
    await reader.close();
    expect(await readAll(openReader())).toEqual(named(0, 1));
  });

  it('tries again what the ledger did not take also from the file that is being written', async () => {
    let now = 0;
    const [writer, reader] = [new InboxWriter(folder, key), openReader(() => now)];
    expect(await readAll(reader)).toEqual([]);
    reader.advance(await writer.write([makeEvent(0)]));
    expect(await reader.next(5)).toHaveLength(1);
    await reader.taken({ all: false });
    expect(await readAll(reader)).toEqual([]);
    now += 600_000;
    expect(await readAll(reader)).toEqual(named(0));
    reader.advance(await writer.write([makeEvent(1)]));
    expect(await readAll(reader)).toEqual(named(1));
    await writer.close();
  });

  it('reads a delivery that is larger than a chunk', async () => {
    const [writer, reader] = [new InboxWriter(folder, key), openReader()];
    const events = [makeEvent(0, 'x'.repeat(3_000_000)), makeEvent(1), makeEvent(2, 'y'.repeat(700_000))];
    reader.advance(await writer.write(events));
    expect(await readAll(reader)).toEqual(named(0, 1, 2));
    await writer.close();
  });

  it('reports that it cannot be written, and acknowledges nothing', async () => {
    writeFileSync(join(folder, '..', '..', 'file'), '');
    const blocked = new InboxWriter(join(folder, '..', '..', 'file', 'inbox'), key);
    await expect(blocked.write([makeEvent(0)])).rejects.toMatchObject({ code: 'cannot-write' });
  });

  it('can be read by nobody else', async () => {
    const writer = new InboxWriter(folder, key);
    const { file } = await writer.write([makeEvent(0)]);
    await writer.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});

/** What may happen to an inbox, in any order. */
type Step =
  /** Together in one write, or in several that wait for the disk at the same time. */
  | { readonly do: 'write'; readonly by: 0 | 1; readonly count: number; readonly isApart: boolean }
  | { readonly do: 'read'; readonly by: 0 | 1 }
  | { readonly do: 'look'; readonly by: 0 | 1 }
  | { readonly do: 'kill'; readonly by: 0 | 1; readonly torn: number };

const by = fc.constantFrom(0 as const, 1 as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: fc.constant('write' as const), by, count: fc.integer({ min: 1, max: 4 }) },
      isApart: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const), by }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), by, torn: fc.nat({ max: 500 }) }) },
);

it('two processes on one inbox, written, read, and killed at any time, lose nothing that was acknowledged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom(1, 600, 1_000_000),
      async (steps, mostBytes) => {
        rmSync(folder, { recursive: true, force: true });
        let now = 0;
        const start = () => ({
          writer: new InboxWriter(folder, key, { mostBytes }),
          reader: openReader(() => now),
          file: '',
        });
        const processes = [start(), start()];
        const [acknowledged, taken]: [string[], string[]] = [[], []];
        let next = 0;
        for (const one of steps) {
          const process = processes[one.by] as ReturnType<typeof start>;
          if (one.do === 'write') {
            const ids = Array.from({ length: one.count }, () => next++);
            await Promise.all(
              (one.isApart ? ids.map((id) => [id]) : [ids]).map(async (together) => {
                const written = await process.writer.write(together.map((id) => makeEvent(id)));
                process.file = written.file;
                process.reader.advance(written);
              }),
            );
            acknowledged.push(...named(...ids));
          } else if (one.do === 'read') {
            const events = await process.reader.next(3);
            taken.push(...events.map(({ delivery }) => delivery));
            await process.reader.taken({ all: true });
          } else if (one.do === 'look') now += 600_000;
          else {
            // Killed while it was writing one more: a part of it is there.
            await process.writer.close();
            const stands =
              process.file !== '' && readdirSync(folder).some((name) => process.file.endsWith(name));
            if (stands) {
              const { size } = statSync(process.file);
              const unfinished = toRecord(key, makeEvent(999, 'x'.repeat(300)));
              appendFileSync(process.file, Buffer.concat(unfinished));
              truncateSync(process.file, size + one.torn);
            }
            processes[one.by] = start();
          }
        }
        for (const { writer } of processes) await writer.close();
        taken.push(...(await readAll(openReader())));
        expect(new Set(taken)).toEqual(new Set(acknowledged));
        expect(troubles).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
