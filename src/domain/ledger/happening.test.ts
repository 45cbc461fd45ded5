import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventOf, FleetEvent } from '../fleet/event.ts';
import { seeText } from '../forge/seen-text.ts';
import { identifyHappening } from './happening.ts';

const head = 'a'.repeat(40);
const common = {
  ...{ delivery: 'd-1', at: '2026-06-01T09:00:00.000Z', repository: 'acme/project' },
  ...({ actor: 'alice', actorKind: 'person' } as const),
};
const comment: EventOf<'comment-created'> = {
  ...{ kind: 'comment-created', ...common, number: 1, isPullRequest: false, comment: 7 },
  ...{ seen: seeText({ title: 'T', body: 'B' }), text: '@claude go' },
};
const labeled: FleetEvent = {
  ...{ kind: 'labeled', ...common, number: 1, isPullRequest: true, label: 'auto-merge', head },
};

describe('what happened', () => {
  it.each<[string, object]>([
    ['delivery', { delivery: 'd-2' }],
    ['words of the issue that were read a moment later', { seen: seeText({ title: 'T', body: 'C' }) }],
    ['spelling of the repository', { repository: 'Acme/Project' }],
  ])('is the same under another %s', (_, change) => {
    expect(identifyHappening({ ...comment, ...change })).toBe(identifyHappening(comment));
  });

  it.each<[string, object]>([
    ['text', { text: '@claude stop' }],
    ['comment', { comment: 8 }],
    ['number', { number: 2 }],
    ['actor', { actor: 'mallory' }],
    ['kind of actor', { actorKind: 'bot' }],
    ['repository', { repository: 'acme/other' }],
    ['moment', { at: '2026-06-01T09:00:01.000Z' }],
  ])('is another with another %s', (_, change) => {
    expect(identifyHappening({ ...comment, ...change })).not.toBe(identifyHappening(comment));
  });

  it('is another when a label is taken off, and when it is set at another head or later', () => {
    const others = [
      labeled,
      { ...labeled, kind: 'unlabeled' } as FleetEvent,
      { ...labeled, head: 'b'.repeat(40) },
      { ...labeled, at: '2026-06-01T09:00:01.000Z' },
    ];
    expect(new Set(others.map(identifyHappening)).size).toBe(4);
  });

  it('is told by nobody else when we made it ourselves', () => {
    const due = { kind: 'schedule-due', ...common, schedule: 'daily-digest' } as const;
    expect(identifyHappening(due)).toBeNull();
    const handed = {
      kind: 'handed-on',
      ...common,
      number: 1,
      to: 'reviewer',
      task: 'start',
      from: 'R',
    } as const;
    expect(identifyHappening(handed)).toBeNull();
  });

  it('cannot be made to look like another by what people write', () => {
    const words = fc.tuple(fc.string(), fc.string());
    fc.assert(
      fc.property(words, words, ([text, actor], [otherText, otherActor]) => {
        const [one, other] = [
          identifyHappening({ ...comment, text, actor }),
          identifyHappening({ ...comment, text: otherText, actor: otherActor }),
        ];
        expect(one === other).toBe(text === otherText && actor === otherActor);
      }),
    );
  });
});
