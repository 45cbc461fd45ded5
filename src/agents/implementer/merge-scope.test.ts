/** What a settled conflict may hold: no marker under any name, and nothing that undoes what only the base brought. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  goodSteps,
  ImplementerWorld,
  messagesOf,
  type Work,
} from '../../../test/support/implementer-world.ts';

let world: ImplementerWorld;
let pull = 0;
afterEach(() => world.remove());
beforeEach(async () => {
  world = await ImplementerWorld.open([{ steps: goodSteps }]);
  await world.order();
  pull = (await world.pulls())[0]?.number ?? 0;
});

async function headOf(): Promise<string> {
  return (await (await world.as('alice')).getPullRequest(world.repository, pull)).head.sha;
}

function update() {
  const from = { actor: world.fleet.own, actorKind: 'bot', from: 'R' } as const;
  return world.deliver('handed-on', { number: pull, to: 'implementer', task: 'update', ...from });
}

const merge = (call: number, steps: readonly object[]): Work => ({ role: 'merger', call, steps });

const guard = 'export const check = (u) => { if (!u.admin) throw new Error("no"); };\n';

/** Both sides write `notes.md`; the base also brings a file that the branch does not know. */
async function conflict(): Promise<void> {
  const { branch } = (await world.pulls())[0]?.head ?? { branch: '' };
  world.git('checkout', '--quiet', branch);
  world.fleet.playground.commit({ 'notes.md': 'ours\n' });
  world.git('checkout', '--quiet', 'main');
  world.fleet.commitToMain({ 'notes.md': 'theirs\n', 'src/guard.mjs': guard });
}

const settled = { write: 'notes.md', content: 'both\n' };

describe('a conflict', () => {
  it.each([
    [
      'with renamed markers',
      [{ write: 'notes.md', content: '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main\n' }],
    ],
    ['with the middle markers', [{ write: 'notes.md', content: 'ours\n||||||| base\n=======\ntheirs\n' }]],
    [
      'with markers under another name of the file',
      [
        { delete: 'notes.md' },
        { write: 'moved.md', content: '<<<<<<< a\nours\n=======\ntheirs\n>>>>>>> b\n' },
      ],
    ],
    ['as something that is no text', [{ write: 'notes.md', content: '\0<<<<<<< HEAD\n' }]],
  ])('that is left %s is not pushed', async (_, steps) => {
    await conflict();
    await world.play([merge(1, steps), merge(2, steps)]);
    const before = await headOf();
    expect(messagesOf(await update()).at(-1)).toContain('a person is needed');
    expect(await headOf()).toBe(before);
    expect(await world.labels(pull)).toEqual(['needs-review']);
  });

  it('over a file that one side deleted is not settled by leaving the file as it is', async () => {
    await world.deleteOnMain('old.txt');
    await world.play([merge(1, []), merge(2, [{ write: 'old.txt', content: 'two, which fits\n' }])]);
    const before = await headOf();
    const messages = messagesOf(await update());
    expect(messages[0]).toContain('are not settled');
    expect(world.git('rev-parse', `${await headOf()}^1`)).toBe(before);
    expect(world.git('show', `${await headOf()}:old.txt`)).toBe('two, which fits');
  });
});

describe('files that are not in conflict', () => {
  it.each([
    ['deletes', [{ delete: 'src/guard.mjs' }]],
    ['empties', [{ write: 'src/guard.mjs', content: 'export const check = () => {};\n' }]],
    [
      'puts a folder in the place of',
      [{ delete: 'src/guard.mjs' }, { write: 'src/guard.mjs/x', content: 'x\n' }],
    ],
  ])('are as the base has them when the agent %s what only the base brought', async (_, steps) => {
    await conflict();
    await world.play([merge(1, [settled, ...steps])]);
    await update();
    const head = await headOf();
    expect(world.git('show', `${head}:src/guard.mjs`)).toBe(guard.trimEnd());
    expect(world.git('show', `${head}:notes.md`)).toBe('both');
    expect(await world.labels(pull)).toEqual(['needs-review']);
    expect((await world.said(pull)).at(-1)).toContain(
      'which only `main` brought; they are as they are there:\n\n- `src/guard.mjs`',
    );
  });

  it('stay as the agent left them where the pull request changes them, and a person is told', async () => {
    await conflict();
    const more = { edit: 'src/sum.mjs', replace: 'a + b', with: 'b + a' };
    await world.play([merge(1, [settled, more, { write: 'src/new.mjs', content: 'export {};\n' }])]);
    await update();
    const head = await headOf();
    expect(world.git('show', `${head}:src/sum.mjs`)).toContain('b + a');
    expect(await world.labels(pull)).toEqual(['needs-review']);
    expect((await world.said(pull)).at(-1)).toContain(
      'These files were not in conflict and were changed too; a person has to look at them:\n\n- `src/new.mjs`\n- `src/sum.mjs`',
    );
  });

  it('change nothing about the risk when the agent leaves them alone', async () => {
    await conflict();
    await world.play([merge(1, [settled])]);
    await update();
    expect((await world.said(pull)).at(-1)).not.toContain('not in conflict');
    expect(await world.labels(pull)).toEqual(['auto-merge']);
  });
});
