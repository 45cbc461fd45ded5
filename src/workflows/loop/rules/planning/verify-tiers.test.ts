/** Which commands are run when, and that none is run that the approved plan did not show. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storyOf } from '../../../../../test/support/loop-comments.ts';
import { type LoopConfig, readLoopConfig } from './loop-config.ts';
import { configuredCommands, fastLines, fullLines, grantedCommands } from './verify-tiers.ts';

function configOf(verify: object): LoopConfig {
  const read = readLoopConfig(JSON.stringify({ execution: { verify } }));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.config;
}

const prd = {
  userStories: [
    storyOf({ id: 'US-001', verifyCommands: ['test one'], passes: true }),
    storyOf({ id: 'US-002', verifyCommands: ['test two'] }),
    storyOf({ id: 'US-003', verifyCommands: ['test three'] }),
  ],
  globalVerifyCommands: ['types'],
};
const [, second] = prd.userStories;

describe('the tiers of verify commands', () => {
  const config = configOf({
    fastGlobalVerifyCommands: ['lint'],
    fullGlobalVerifyCommands: ['build', 'lint'],
    securityVerifyCommands: ['audit'],
  });
  const granted = grantedCommands(prd, config);

  it('are all in the approved plan, sorted', () => {
    expect(granted).toEqual(['audit', 'build', 'lint', 'test one', 'test three', 'test two', 'types']);
  });

  it('are fast after an attempt, and full now and then and at the end', () => {
    const tiers = { prd, config, granted };
    expect(fastLines(tiers, second ?? storyOf())).toEqual(['test two', 'types', 'lint']);
    const by = (...proven: string[]) => fullLines(tiers, { task: 'US-002', proven: new Set(proven) });
    expect(by('US-001')).toEqual(['audit', 'build', 'lint', 'test one', 'test two', 'types']);
    // By the word of a person only.
    expect(by()).toEqual(['audit', 'build', 'lint', 'test two', 'types']);
    expect(fullLines(tiers, null)).toEqual(granted);
  });

  it.each([
    [{ globalVerifyCommands: ['old'] }, ['old'], ['old']],
    [{ globalVerifyCommands: ['old'], fastGlobalVerifyCommands: ['lint'] }, ['lint'], ['lint', 'old']],
    [{ securityVerifyCommands: ['audit'], runSecurityVerifyOnEveryTask: true }, ['audit'], ['audit']],
    [{ fullGlobalVerifyCommands: ['build'] }, [], ['build']],
    [{}, [], []],
  ])('of %j', (verify, fast, full) => expect(configuredCommands(configOf(verify))).toEqual({ fast, full }));

  it('never hold a command that the approved plan did not show', () => {
    const command = fc.constantFrom(
      'lint',
      'build',
      'audit',
      'touch ../canary',
      'types',
      'types ',
      'test one',
    );
    const commands = fc.array(command, { maxLength: 4 });
    const verify = fc.record({
      ...{ fastGlobalVerifyCommands: commands, fullGlobalVerifyCommands: commands },
      ...{ globalVerifyCommands: commands, securityVerifyCommands: commands },
      runSecurityVerifyOnEveryTask: fc.boolean(),
    });
    fc.assert(
      fc.property(verify, verify, (before, after) => {
        const known = grantedCommands(prd, configOf(before));
        const tiers = { prd, config: configOf(after), granted: known };
        const lines = [
          ...fastLines(tiers, second ?? storyOf()),
          ...fullLines(tiers, null),
          ...fullLines(tiers, { task: 'US-002', proven: new Set(['US-001']) }),
        ];
        expect(lines.filter((line) => !known.includes(line))).toEqual([]);
      }),
    );
  });
});
