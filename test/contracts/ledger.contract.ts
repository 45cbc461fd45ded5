/** What every ledger has to do: append all or nothing, refuse twins and lost leases, find again, add up, verify. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { chainStart, type NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { Fence, Ledger } from '../../src/ports/ledger.ts';
import { expectCode } from './expect-code.ts';

export interface LedgerWorld {
  readonly ledger: Ledger;
  /** The same ledger as another process sees it. */
  another(): Ledger;
  /** The ledger's clock stands still in between. */
  advance(milliseconds: number): void;
  now(): Date;
  /** Takes a subject from whoever has it. */
  useEarlierAnswer(subject: string): Promise<Fence>;
  close(): Promise<void>;
}

export const subject = 'local/project:export';
export const other = 'local/project:import';

export function nodeBegun(
  step: number,
  more: { subject?: string; run?: string; key?: string } = {},
): NewEntry {
  return { subject, run: 'run-1', ...more, kind: 'node-begun', actor: 'alice', data: { node: 'N2', step } };
}

/** An answer that was paid and could not be used. */
export function describeLedger(name: string, makeLedger: () => Promise<LedgerWorld>): void {
  describe(`${name} is a ledger`, () => {
    let world: LedgerWorld;
    let ledger: Ledger;

    beforeEach(async () => {
      world = await makeLedger();
      ({ ledger } = world);
    });
    afterEach(() => world.close());

    const expectUnchanged = async (work: () => Promise<void>): Promise<void> => {
      const before = [await ledger.readSubject(subject), await ledger.readSubject(other)];
      await work();
      expect([await ledger.readSubject(subject), await ledger.readSubject(other)]).toEqual(before);
      expect((await ledger.verify()).problems).toEqual([]);
    };

    describe('appending', () => {
      it('appends only what is new, in one transaction, and says which', async () => {
        await ledger.append([nodeBegun(1, { key: 'one' })]);
        const text = await ledger.putText('a text of the second');
        const written = await ledger.appendNew([
          nodeBegun(2, { key: 'one' }),
          nodeBegun(3, { key: 'two' }),
          nodeBegun(4, { key: 'two' }),
          nodeBegun(5, { subject: other }),
        ]);
        expect(written.map((entry) => entry?.seq ?? null)).toEqual([null, 2, null, 1]);
        expect(await ledger.readSubject(subject)).toMatchObject([
          { data: { step: 1 } },
          { data: { step: 3 } },
        ]);
        expect(await world.another().getText(text)).toBe('a text of the second');
        expect(await ledger.appendNew([])).toEqual([]);
        expect((await ledger.verify()).problems).toEqual([]);
      });

      it('tells what runs wrote about a subject from its events', async () => {
        const received = {
          kind: 'comment-created',
          actor: 'alice',
          event: await ledger.putText('x'),
        } as const;
        const event = {
          subject,
          run: '',
          actor: 'alice',
          kind: 'event-received',
          key: 'd',
          data: received,
        } as const;
        await ledger.append([event, nodeBegun(1), nodeBegun(2, { subject: other }), nodeBegun(3)]);
        expect(await ledger.readSubject(subject)).toHaveLength(3);
        expect(await ledger.readWork(subject)).toMatchObject([{ data: { step: 1 } }, { data: { step: 3 } }]);
        expect(await ledger.readWork('acme/none#1')).toEqual([]);
      });

      it('finds events of one kind and refusals among any number of others', async () => {
        const event = await ledger.putText('{}');
        const of = (key: string, kind: string, about = subject) =>
          ({
            ...{ subject: about, run: '', actor: 'a', kind: 'event-received', key },
            data: { kind, actor: 'alice', event },
          }) as NewEntry;
        const refusal = (key: string) =>
          ({
            ...{ subject, run: '', actor: 'a', kind: 'event-refused', key },
            data: { delivery: key, agent: null, by: 'bob', because: 'bot', detail: '' },
          }) as NewEntry;
        await ledger.append([
          ...[of('l1', 'labeled'), of('c1', 'comment-created'), refusal('r1'), of('l2', 'labeled')],
          ...[of('q1', 'pull-request-dequeued'), of('l3', 'labeled', other), refusal('r2'), nodeBegun(1)],
        ]);
        const keys = (entries: readonly { readonly key?: string }[]) => entries.map(({ key }) => key);
        expect(keys(await ledger.readTold(subject, 'labeled'))).toEqual(['l1', 'l2']);
        expect(keys(await ledger.readTold(subject, 'pull-request-dequeued'))).toEqual(['q1']);
        expect(keys(await ledger.readRefusals(subject, 5))).toEqual(['r2', 'r1']);
        expect(keys(await ledger.readRefusals(subject, 1))).toEqual(['r2']);
        expect(await ledger.readTold('acme/none#1', 'labeled')).toEqual([]);
      });

      it('appends nothing new for one that has lost its lease', async () => {
        const fence = await world.useEarlierAnswer(subject);
        await world.useEarlierAnswer(subject);
        await expectUnchanged(() =>
          expectCode(ledger.appendNew([nodeBegun(1, { key: 'one' })], fence), 'lease-lost'),
        );
      });

      it('numbers, dates and chains the entries of a subject', async () => {
        const at = world.now().toISOString();
        const [first, second] = await ledger.append([nodeBegun(1), nodeBegun(2)]);
        world.advance(1000);
        const [third] = await ledger.append([nodeBegun(3)]);
        expect([first, second, third].map((entry) => entry?.seq)).toEqual([1, 2, 3]);
        expect([first?.at, second?.at]).toEqual([at, at]);
        expect(third?.at).toBe(world.now().toISOString());
        expect(first?.previous).toBe(chainStart);
        expect(second?.previous).toBe(first?.hash);
        expect(third?.previous).toBe(second?.hash);
        expect(new Set([first?.hash, second?.hash, third?.hash]).size).toBe(3);
      });

      it('keeps a chain of its own for each subject', async () => {
        const entries = await ledger.append([nodeBegun(1), nodeBegun(1, { subject: other }), nodeBegun(2)]);
        expect(entries.map((entry) => [entry.subject, entry.seq])).toEqual([
          [subject, 1],
          [other, 1],
          [subject, 2],
        ]);
        expect(entries[2]?.previous).toBe(entries[0]?.hash);
      });

      it('returns exactly what it will read later, whatever characters it holds', async () => {
        const why = `${String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code))}"\\ 🦊 \uD800 שלום \u2028`;
        const appended = await ledger.append([
          {
            subject,
            kind: 'run-dropped',
            run: 'run-1',
            actor: "Zoë O'Brien 🦊",
            data: { why },
            key: '$(x) ../"',
          },
        ]);
        expect(await ledger.readSubject(subject)).toEqual(appended);
        expect((await ledger.verify()).problems).toEqual([]);
      });

      it('writes nothing when there is nothing to write', async () => {
        expect(await ledger.append([])).toEqual([]);
        expect(await ledger.verify()).toEqual({ subjects: 0, entries: 0, problems: [] });
      });
    });

    describe('keys', () => {
      it('takes a key once for each kind, in whatever subject and run', async () => {
        await ledger.append([nodeBegun(1, { key: 'k' })]);
        await expectUnchanged(async () => {
          await expectCode(ledger.append([nodeBegun(2, { key: 'k' })]), 'ledger-conflict');
          await expectCode(
            ledger.append([nodeBegun(2, { key: 'k', subject: other, run: 'run-2' })]),
            'ledger-conflict',
          );
        });
      });

      it('lets another kind use the key, and any number of entries have none', async () => {
        await ledger.append([
          nodeBegun(1, { key: 'k' }),
          { subject, kind: 'run-dropped', run: 'run-1', actor: 'alice', data: { why: '' }, key: 'k' },
          nodeBegun(2),
          nodeBegun(2),
        ]);
        expect(await ledger.readSubject(subject)).toHaveLength(4);
      });

      it('writes nothing of an append whose second entry is refused', async () => {
        await ledger.append([nodeBegun(1, { key: 'k' })]);
        await expectUnchanged(() =>
          expectCode(
            ledger.append([nodeBegun(2, { key: 'new' }), nodeBegun(3, { key: 'k' })]),
            'ledger-conflict',
          ),
        );
        expect(await ledger.find('node-begun', 'new')).toBeNull();
        expect((await ledger.append([nodeBegun(2, { key: 'new' })]))[0]?.seq).toBe(2);
      });

      it('writes nothing of an append that holds the same key twice', async () => {
        await expectUnchanged(() =>
          expectCode(
            ledger.append([nodeBegun(1, { key: 'k' }), nodeBegun(2, { key: 'k' })]),
            'ledger-conflict',
          ),
        );
      });
    });

    describe('fences', () => {
      it('writes for whoever holds the subject, and nothing for whoever lost it', async () => {
        const lost = await world.useEarlierAnswer(subject);
        await ledger.append([nodeBegun(1)], lost);
        const holder = await world.useEarlierAnswer(subject);
        await expectUnchanged(async () => {
          await expectCode(ledger.append([nodeBegun(2), nodeBegun(3)], lost), 'lease-lost');
        });
        expect(await ledger.append([nodeBegun(2)], holder)).toHaveLength(1);
      });

      it('writes nothing for a fence that was never given', async () => {
        await expectUnchanged(async () => {
          await expectCode(ledger.append([nodeBegun(1)], { subject, token: 1 }), 'lease-lost');
        });
        const { token } = await world.useEarlierAnswer(subject);
        await expectUnchanged(async () => {
          await expectCode(ledger.append([nodeBegun(1)], { subject, token: token + 1 }), 'lease-lost');
          await expectCode(ledger.append([nodeBegun(1)], { subject: other, token }), 'lease-lost');
        });
      });
    });

    describe('putting aside', () => {
      const stepsOf = async (): Promise<unknown[]> =>
        (await ledger.readSubject(subject)).map((entry) => entry.kind === 'node-begun' && entry.data.step);

      it('writes what was put aside before the next entry, once', async () => {
        const fence = await world.useEarlierAnswer(subject);
        ledger.defer(nodeBegun(1), fence);
        ledger.defer(nodeBegun(2, { key: 'k' }), fence);
        expect(await ledger.readSubject(subject)).toEqual([]);
        expect((await ledger.append([nodeBegun(3)], fence)).map((entry) => entry.seq)).toEqual([3]);
        await ledger.append([nodeBegun(4)], fence);
        expect(await stepsOf()).toEqual([1, 2, 3, 4]);
        expect((await ledger.verify()).problems).toEqual([]);
      });

      it('leaves out what is there by then', async () => {
        const fence = await world.useEarlierAnswer(subject);
        ledger.defer(nodeBegun(1, { key: 'k' }), fence);
        await world.another().append([nodeBegun(2, { key: 'k' })], fence);
        await ledger.append([nodeBegun(3)], fence);
        expect(await stepsOf()).toEqual([2, 3]);
      });

      it('keeps it for later when the append is refused', async () => {
        const fence = await world.useEarlierAnswer(subject);
        await ledger.append([nodeBegun(1, { key: 'k' })], fence);
        ledger.defer(nodeBegun(2), fence);
        await expectCode(ledger.append([nodeBegun(3, { key: 'k' })], fence), 'ledger-conflict');
        expect(await stepsOf()).toEqual([1]);
        await ledger.append([nodeBegun(4)], fence);
        expect(await stepsOf()).toEqual([1, 2, 4]);
      });

      it('leaves out what was put aside by somebody who lost the subject meanwhile, and goes on', async () => {
        ledger.defer(nodeBegun(1), await world.useEarlierAnswer(subject));
        await world.useEarlierAnswer(subject);
        const [second] = await ledger.append([nodeBegun(2)]);
        expect(await ledger.readSubject(subject)).toEqual([second]);
      });
    });

    describe('reading', () => {
      it('finds an entry by its kind and key', async () => {
        const [first] = await ledger.append([
          nodeBegun(1, { key: 'a' }),
          nodeBegun(2, { key: 'b' }),
          nodeBegun(3),
        ]);
        expect(await ledger.find('node-begun', 'a')).toEqual(first);
        expect(await ledger.find('node-begun', 'A')).toBeNull();
        expect(await ledger.find('verdict', 'a')).toBeNull();
        expect(await ledger.find('node-begun', '')).toBeNull();
      });

      it('reads one run or one subject, oldest first', async () => {
        await ledger.append([nodeBegun(1), nodeBegun(2, { run: 'run-2' }), nodeBegun(3, { subject: other })]);
        await ledger.append([nodeBegun(4), nodeBegun(5, { run: 'run-2' })]);
        const steps = (entries: readonly NewEntry[]) =>
          entries.map((entry) => (entry.kind === 'node-begun' ? entry.data.step : null));
        expect(steps(await ledger.readRun('run-1'))).toEqual([1, 3, 4]);
        expect(steps(await ledger.readRun('run-2'))).toEqual([2, 5]);
        expect(steps(await ledger.readSubject(subject))).toEqual([1, 2, 4, 5]);
        expect(steps(await ledger.readSubject(other))).toEqual([3]);
        expect(await ledger.readRun('run-')).toEqual([]);
        expect(await ledger.readSubject('local/project')).toEqual([]);
      });

      it('reads a part of a subject, after a sequence number', async () => {
        await ledger.append([nodeBegun(1), nodeBegun(2, { subject: other }), nodeBegun(3), nodeBegun(4)]);
        const all = await ledger.readSubject(subject);
        expect(await ledger.readPart(subject, 0, 2)).toEqual(all.slice(0, 2));
        expect(await ledger.readPart(subject, all[1]?.seq ?? 0, 2)).toEqual(all.slice(2));
        expect(await ledger.readPart(subject, all[2]?.seq ?? 0, 2)).toEqual([]);
        expect(await ledger.readPart(subject, 0, 0)).toEqual([]);
        expect(await ledger.readPart('local/project', 0, 2)).toEqual([]);
      });

      it('reads what was written about a repository since a position, in that order', async () => {
        expect(await ledger.readPosition()).toBe(0);
        const about = (step: number, at: string) => nodeBegun(step, { subject: `local/project${at}` });
        await ledger.append([about(1, '#1'), about(2, ':slug'), about(3, '-two#1'), about(4, '~digest')]);
        const first = await ledger.readNews('local/project', 0, 2);
        expect(first.map(({ entry }) => entry.subject)).toEqual(['local/project#1', 'local/project:slug']);
        const rest = await ledger.readNews('local/project', first[1]?.position ?? 0, 10);
        expect(rest.map(({ entry }) => entry.subject)).toEqual(['local/project~digest']);
        expect(rest[0]?.entry).toEqual((await ledger.readSubject('local/project~digest'))[0]);
        const position = await ledger.readPosition();
        expect(position).toBe(rest[0]?.position);
        expect(await ledger.readNews('local/project', position, 10)).toEqual([]);
        expect(await ledger.readNews('local/project', 0, 0)).toEqual([]);
        const [later] = await ledger.append([about(5, '@abc')]);
        expect((await ledger.readNews('local/project', position, 10)).map(({ entry }) => entry)).toEqual([
          later,
        ]);
      });

      it('lists subjects, those with the newest entry first', async () => {
        await ledger.append([nodeBegun(1), nodeBegun(1, { subject: other })]);
        expect(await ledger.listSubjects()).toEqual([other, subject]);
        await ledger.append([nodeBegun(2)]);
        expect(await ledger.listSubjects()).toEqual([subject, other]);
      });

      it('verifies one chain or all', async () => {
        expect(await ledger.verify('local/project:unknown')).toMatchObject({ entries: 0, problems: [] });
        for (let step = 1; step <= 20; step += 1) {
          await ledger.append([
            nodeBegun(step, { subject: step % 3 === 0 ? other : subject, key: `k${step}` }),
          ]);
        }
        expect(await ledger.verify()).toEqual({ subjects: 2, entries: 20, problems: [] });
        expect(await ledger.verify(other)).toEqual({ subjects: 1, entries: 6, problems: [] });
      });
    });

    describe('texts', () => {
      it.each([
        ['nothing', ''],
        ['many letters', 'Grüße 🦊\r\n\tשלום\u0000\u001b[31m'],
        ['a lot', 'x'.repeat(1_000_000)],
      ])('keeps a text under its hash: %s', async (_, text) => {
        const hash = await ledger.putText(text);
        expect(hash).toBe(sha256(text));
        expect(await ledger.putText(text)).toBe(hash);
        expect(await ledger.getText(hash)).toBe(text);
      });

      it('shows a text to everybody as soon as an entry was appended after it', async () => {
        const hash = await ledger.putText('What was asked.');
        await ledger.append([nodeBegun(1)]);
        expect(await world.another().getText(hash)).toBe('What was asked.');
      });

      it('says so when a text was never kept', async () => {
        await expectCode(ledger.getText(sha256('never')), 'ledger-broken');
      });
    });
  });
}
