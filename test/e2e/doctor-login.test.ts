/** What `doctor` says about the login of the Claude Code CLI does not contradict itself from role to role. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DoctorRoom } from '../support/doctor-room.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';

let room: DoctorRoom;

beforeEach(() => {
  room = new DoctorRoom();
});
afterEach(() => room.playground.remove());

describe('the login of the Claude Code CLI', () => {
  const status = (isLoggedIn: boolean) =>
    `case "$1" in auth) echo '{"loggedIn":${isLoggedIn}}';; *) echo "9.9.9 (Claude Code)";; esac`;
  const told = async (): Promise<string[]> =>
    (await room.diagnose({ HOME: '' }))
      .of('models')
      .flatMap(({ state, detail }) => (state === 'ok' ? [] : [detail]));

  it.skipIf(isWithoutSandbox)('is missing for every role, where there is none', async () => {
    room.program('claude', status(false));
    const lines = await told();
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toContain('not logged in');
  });

  it.skipIf(isWithoutSandbox)('is there for every role, where there is one', async () => {
    room.program('claude', status(true));
    const lines = await told();
    expect(lines.map((line) => line.split(':')[0])).toEqual(['coder', 'planner']);
    for (const line of lines) expect(line).toContain('is in your home folder');
  });
});
