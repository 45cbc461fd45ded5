/** A run that is killed right after it pushed unfinished work goes on from there, whatever its coding agent does next. */
import { afterEach, describe, expect, it } from 'vitest';
import { goodSteps, ImplementerWorld } from '../../../test/support/implementer-world.ts';
import type { EntryKind } from '../../domain/ledger/ledger-entry.ts';

class Killed extends Error {}

let world: ImplementerWorld;
afterEach(() => world.fleet.remove());

/** Nothing is written any more from the first entry of that kind on. */
function killBefore(kind: EntryKind, about = ''): void {
  const { ledger } = world.fleet.house;
  const append = ledger.append.bind(ledger);
  let isDead = false;
  ledger.append = async (...args) => {
    isDead ||= args[0].some((entry) => entry.kind === kind && (entry.key ?? '').includes(about));
    if (isDead) throw new Killed();
    return append(...args);
  };
}

describe('unfinished work', () => {
  it.each<[EntryKind, string]>([
    ['work-pushed', ''],
    ['effect-receipted', '/push/'],
  ])(
    'whose push was cut off before %s is gone on with',
    async (kind, about) => {
      world = await ImplementerWorld.open([
        { steps: [{ write: 'note.txt', content: 'x\n' }], outcome: { failed: 'crash' } },
      ]);
      killBefore(kind, about);
      const number = await world.fileIssue('@claude please');
      await expect(world.deliver('issue-opened', { number, text: '@claude please' })).rejects.toThrow();
      expect(world.fleet.headOf(`gatewright/issue-${number}`)).not.toBeNull();
      // Another process, and an agent that does something else this time.
      await world.play([{ steps: [...goodSteps, { write: 'note.txt', content: 'y\n' }] }]);
      const [outcome] = await world.fleet.settle();
      expect(outcome?.outcomes[0]?.reason).toMatchObject({ code: 'finished' });
      const [pull] = await world.pulls();
      expect(pull?.head.branch).toBe(`gatewright/issue-${number}`);
      expect(world.git('show', `${pull?.head.sha}:note.txt`)).toBe('y');
      expect(world.git('rev-list', '--count', `main..${pull?.head.sha}`)).toBe('2');
    },
    60_000,
  );
});
