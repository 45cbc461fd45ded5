import { describe, expect, it } from 'vitest';
import { CatchUp } from './catch-up.ts';

const missing = Object.assign(new Error('no'), { status: 404, response: { headers: {}, data: {} } });

function makeClock() {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const slept: number[] = [];
  return {
    slept,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    clock: {
      now: () => new Date(time),
      sleep: async (wait: number) => {
        slept.push(wait);
        time += wait;
      },
    },
  };
}

/** Fails as often as it is told to. */
function failing(times: number): () => Promise<string> {
  let left = times;
  return async () => {
    left -= 1;
    if (left >= 0) throw missing;
    return 'done';
  };
}

const place = { owner: 'Acme', repo: 'project' };

describe('what GitHub does not know yet', () => {
  it('is waited for with the clock of the house, half a minute at most', async () => {
    const { clock, slept } = makeClock();
    const catchUp = new CatchUp(clock, 1000);
    await expect(catchUp.retry(failing(6), () => true)).rejects.toBe(missing);
    expect(slept).toEqual([1000, 2000, 4000, 8000, 15_000]);
    expect(await catchUp.retry(failing(5), () => true)).toBe('done');
  });

  it('is not waited for when the refusal is of another kind', async () => {
    const { clock, slept } = makeClock();
    await expect(new CatchUp(clock, 1000).retry(failing(1), () => false)).rejects.toBe(missing);
    expect(slept).toEqual([]);
  });

  it('names the moment at which a run may go on', () => {
    const error = new CatchUp(makeClock().clock, 1000).explain('merging', 'Base branch was modified.');
    expect(error).toMatchObject({ code: 'forge-lagging', until: '2026-01-01T00:01:00.000Z' });
    expect(error.message).toBe('GitHub has not caught up yet (merging): Base branch was modified.');
  });

  it('is what we made less than two minutes ago, however its name is spelled', async () => {
    const { clock, slept, pass } = makeClock();
    const catchUp = new CatchUp(clock, 1000);
    catchUp.noteMade('acme/Project#3');
    const ask = (times: number) => catchUp.send({ ...place, issue_number: 3 }, failing(times));
    expect(await ask(5)).toBe('done');
    pass(120_000);
    slept.length = 0;
    await expect(ask(1)).rejects.toBe(missing);
    expect(slept).toEqual([]);
  });

  it('may be a number beyond all that are known, of this repository', async () => {
    const { clock, slept } = makeClock();
    const catchUp = new CatchUp(clock, 1000);
    await catchUp.send({ ...place, pull_number: 7 }, failing(0));
    await expect(catchUp.send({ ...place, issue_number: 7 }, failing(9))).rejects.toBe(missing);
    expect(slept).toEqual([]);
    await expect(catchUp.send({ ...place, issue_number: 8 }, failing(9))).rejects.toBe(missing);
    expect(slept).toEqual([1000, 2000]);
    slept.length = 0;
    await expect(catchUp.send({ owner: 'a', repo: 'b', issue_number: 1 }, failing(9))).rejects.toBe(missing);
    expect(slept).toEqual([1000, 2000]);
  });

  it('is never a thing without a number', async () => {
    const { clock, slept } = makeClock();
    await expect(new CatchUp(clock, 1000).send({ ...place, username: 'x' }, failing(1))).rejects.toBe(
      missing,
    );
    expect(slept).toEqual([]);
  });

  it('may be a commit that we pushed', async () => {
    const { clock } = makeClock();
    const catchUp = new CatchUp(clock, 1000);
    const sha = 'a'.repeat(40);
    const unknown = Object.assign(new Error('no'), {
      status: 422,
      response: { headers: {}, data: { message: `No commit found for SHA: ${sha}` } },
    });
    let left = 2;
    const ask = async () => {
      left -= 1;
      if (left >= 0) throw unknown;
      return 'done';
    };
    await expect(catchUp.send({ ...place, sha }, ask)).rejects.toBe(unknown);
    catchUp.noteMade(sha);
    left = 2;
    expect(await catchUp.send({ ...place, sha }, ask)).toBe('done');
  });
});
