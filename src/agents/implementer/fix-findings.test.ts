/** Corrections of pull requests of ours: what the review of that very head found, or what somebody who may asks for. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  codesOf,
  done,
  findingId,
  goodSteps,
  ImplementerWorld,
  messagesOf,
  type Work,
} from '../../../test/support/implementer-world.ts';
import { explainNumber } from '../../fleet/explain-number.ts';
import { describeWaiting } from '../../runs/describe-waiting.ts';

const fix = (call: number, more: Work = {}): Work => ({
  ...{ role: 'fixer', call, steps: [{ write: `fix-${call}.md`, content: `${call}\n` }] },
  ...more,
});

let world: ImplementerWorld;
let issue = 0;
let pull = 0;
afterEach(() => world.remove());
beforeEach(async () => {
  world = await ImplementerWorld.open([{ steps: goodSteps }]);
  issue = (await world.order()).number;
  pull = (await world.pulls())[0]?.number ?? 0;
});

async function headOf(number: number): Promise<string> {
  return (await (await world.as('alice')).getPullRequest(world.repository, number)).head.sha;
}

describe('a review that finds something', () => {
  it('is settled on top of the branch, checked and handed back to the reviewer', async () => {
    await world.play([fix(1, { includes: ['It subtracts', 'sum subtracts', '+  return a + b;'] })]);
    const before = await headOf(pull);
    const outcomes = await world.review(pull, 'It subtracts');
    const head = await headOf(pull);
    expect(world.git('rev-parse', `${head}^`)).toBe(before);
    expect(world.git('show', `${head}:fix-1.md`)).toBe('1');
    expect(messagesOf(outcomes)).toEqual([`#${pull} was corrected with ${head.slice(0, 12)}`]);
    expect(outcomes[0]?.outcomes[0]?.handoffs).toEqual([{ to: 'reviewer', task: 'start', number: pull }]);
    const [said, ...more] = await world.said(pull);
    expect(more).toEqual([]);
    expect(said).toContain(`Pushed ${head.slice(0, 12)}`);
    expect(said).toContain('**passed**');
    expect((await world.entries(pull, 'command-verified'))[0]?.data.commit).toBe(head);
    expect(await world.labels(pull)).toEqual(['auto-merge']);
  });

  it('is settled with the diff of the pull request alone, without what others merged since', async () => {
    world.fleet.commitToMain({ 'merged-by-others.txt': 'x\n' });
    await world.play([fix(1, { includes: ['+  return a + b;'] })]);
    await world.review(pull, 'It subtracts');
    const [sent] = await world.entries(pull, 'prompt-sent');
    const prompt = await world.fleet.house.ledger.getText(sent?.data.prompt ?? ('' as never));
    expect(prompt).toContain('src/sum.mjs');
    expect(prompt).not.toContain('merged-by-others');
  });

  it('is not settled when it is about an earlier head, or found nothing that holds it back', async () => {
    await world.play([fix(1)]);
    await world.review(pull, 'Once');
    const stale = await world.deliver('handed-on', {
      ...{ number: pull, to: 'implementer', task: 'fix', from: 'R' },
      ...{ actor: world.fleet.own, actorKind: 'bot' },
    });
    const clean = await world.review(pull, 'Fine', { isClean: true });
    const nothing = `nothing to correct: no review of #${pull} at its head asks for it`;
    expect([...messagesOf(stale), ...messagesOf(clean)]).toEqual([nothing, nothing]);
  });

  it('raises the risk and never lowers it', async () => {
    await world.play([fix(1, { outcome: done({ risk: 'blocked' }) }), fix(2)]);
    await world.review(pull, 'One');
    expect(await world.labels(pull)).toEqual(['blocked']);
    expect((await world.said(pull))[0]).toContain('The risk is now **blocked**');
    await world.review(pull, 'Two');
    expect(await world.labels(pull)).toEqual(['blocked']);
  });

  it('is settled twice at most; then the person is called here and the issue is told, once', async () => {
    await world.play([fix(1), fix(2), fix(3)]);
    for (const text of ['One', 'Two']) await world.review(pull, text);
    const head = await headOf(pull);
    const outcomes = await world.review(pull, 'Still wrong, @mallory');
    expect(messagesOf(outcomes)).toEqual([
      `#${pull} was corrected 2 times and is not clean; a person is needed`,
    ]);
    expect(await headOf(pull)).toBe(head);
    expect(await world.entries(pull, 'limit-reached')).toHaveLength(1);
    const last = (await world.said(pull)).at(-1) ?? '';
    expect(last).toContain('@alice The review still finds something');
    expect(last).toContain('Still wrong');
    expect(last).not.toContain('@mallory');
    expect(await world.said(issue)).toHaveLength(1);
    expect((await world.said(issue))[0]).toContain(`#${pull}`);
    // Nothing merges it by itself any more.
    expect(await world.labels(pull)).toEqual(['needs-review']);
    // Whoever hands it on again, and whatever others claim, hears nothing new.
    await world.deliver('handed-on', {
      ...{ number: pull, to: 'implementer', task: 'fix', from: 'R' },
      ...{ actor: world.fleet.own, actorKind: 'bot' },
    });
    expect(await world.said(pull)).toHaveLength(3);
    expect(await world.said(issue)).toHaveLength(1);

    // A person's order begins the count anew.
    await world.play([
      fix(3, { includes: ['What is asked for now', 'please do it right'] }),
      fix(4, { includes: ['And yet'] }),
    ]);
    await world.say(pull, '@claude please do it right', { isPullRequest: true });
    expect(world.git('show', `${await headOf(pull)}:fix-3.md`)).toBe('3');
    await world.review(pull, 'And yet');
    expect(world.git('show', `${await headOf(pull)}:fix-4.md`)).toBe('4');
  });

  it('is not settled again when it finds the same as before; the person and the issue are told why, once', async () => {
    await world.play([fix(1)]);
    await world.review(pull, 'It subtracts');
    const head = await headOf(pull);
    const outcomes = await world.review(pull, 'It subtracts');
    const id = findingId('It subtracts');
    const what = `the review finds the same as before the last correction (${id})`;
    expect(messagesOf(outcomes)).toEqual([`#${pull} was corrected 1 time: ${what}; a person is needed`]);
    expect(await headOf(pull)).toBe(head);
    expect((await world.entries(pull, 'limit-reached')).map(({ data }) => data)).toEqual([
      { what: 'fix', limit: 1, handle: 'claude', because: 'stagnant' },
    ]);
    const last = (await world.said(pull)).at(-1) ?? '';
    expect(last).toContain(`@alice After 1 round of corrections, ${what}.`);
    expect(last).toContain('dismiss the findings that do not apply');
    expect((await world.said(issue))[0]).toContain('finds the same as before');
    expect(await world.labels(pull)).toEqual(['needs-review']);
    const waiting = await world.fleet.house.views.listWaiting();
    expect(waiting.map(describeWaiting)).toMatchObject([
      { why: 'corrections ended: the review finds the same as before the last correction' },
    ]);
    const { conditions } = await explainNumber(world.fleet.house, world.fleet.own, pull);
    expect(conditions.map((one) => one.what)).toContain(
      'after 1 correction since the last order, the review finds the same as before the last correction',
    );
    // Whatever a later review finds, it waits for an order, without another word.
    const said = (await world.said(pull)).length;
    expect(messagesOf(await world.review(pull, 'Something else is wrong'))).toEqual([
      `#${pull} was corrected 1 time and is not clean; a person is needed`,
    ]);
    expect(await world.said(pull)).toHaveLength(said);
    // An order begins anew, with what the review said before left aside.
    await world.play([fix(2), fix(3, { includes: ['It subtracts'] })]);
    await world.say(pull, '@claude add instead', { isPullRequest: true });
    await world.review(pull, 'It subtracts');
    expect(world.git('show', `${await headOf(pull)}:fix-3.md`)).toBe('3');
  });

  it('is not settled again when it asks for the opposite of before', async () => {
    await world.play([fix(1)]);
    await world.review(pull, 'Missing check of the sign');
    const outcomes = await world.review(pull, 'Unneeded check of the sign');
    expect(messagesOf(outcomes)[0]).toContain('the review asks for the opposite of what it asked for before');
    expect((await world.entries(pull, 'limit-reached'))[0]?.data).toMatchObject({ because: 'contradictory' });
    expect((await world.said(pull)).at(-1)).toContain('decide which of the two is meant');
  });

  it('is settled when it finds the same again and no correction was made in between', async () => {
    await world.play([fix(1)]);
    await world.recordReview(pull, 'It subtracts');
    const outcomes = await world.review(pull, 'It subtracts still');
    expect(messagesOf(outcomes)).toEqual([
      `#${pull} was corrected with ${(await headOf(pull)).slice(0, 12)}`,
    ]);
  });

  it('says what can be done when it is asked for after the merge, which nobody can take back', async () => {
    const alice = await world.as('alice');
    await alice.mergePullRequest(world.repository, pull, {
      ...{ head: await headOf(pull), title: 'sum adds', body: '' },
    });
    await world.say(pull, '@claude one more thing', { isPullRequest: true });
    const [said = '', ...more] = await world.said(pull);
    expect(more).toEqual([]);
    expect(said).toContain('@alice This is merged');
    expect(said).toContain('open an issue');
    expect(said).not.toContain('Reopen');
  });

  it('stops with what was said when nothing was changed', async () => {
    await world.play([fix(1, { steps: [], outcome: done({ summary: 'It is right as it is.' }) })]);
    const outcomes = await world.review(pull, 'Wrong');
    expect(codesOf(outcomes)).toEqual(['nothing-changed']);
    expect((await world.said(pull))[0]).toContain('> It is right as it is.');
    expect(await world.labels(pull)).toEqual(['auto-merge']);
  });

  it('is handed back for review when the turns ran out, with what there is', async () => {
    await world.play([fix(1, { outcome: { turnsExhausted: true } })]);
    const outcomes = await world.review(pull, 'Wrong');
    expect(outcomes[0]?.outcomes[0]?.handoffs).toEqual([{ to: 'reviewer', task: 'start', number: pull }]);
    expect(await world.labels(pull)).toEqual(['needs-review']);
    expect((await world.said(pull))[0]).toContain('The turns ran out');
  });
});

describe('a person on a pull request', () => {
  it('is obeyed in comments and in reviews with their remarks, and only if they may order it', async () => {
    await world.as('mallory', 'read');
    await world.play([
      fix(1, { includes: ['rename it'] }),
      fix(2, { includes: ['src/sum.mjs:2: a better name'] }),
    ]);
    const before = await headOf(pull);
    await world.say(pull, '@claude rename it', { isPullRequest: true, as: 'mallory' });
    expect(await headOf(pull)).toBe(before);
    await world.say(pull, '@claude rename it', { isPullRequest: true });
    const head = await headOf(pull);
    expect(head).not.toBe(before);
    const alice = await world.as('alice');
    const { id } = await alice.createReview(world.repository, pull, {
      ...{ commit: head, decision: 'comment', body: '@claude see below' },
      comments: [{ path: 'src/sum.mjs', line: 2, body: 'a better name' }],
    });
    const text = '@claude see below';
    await world.deliver('review-submitted', { number: pull, head, review: id, text });
    expect(world.git('show', `${await headOf(pull)}:fix-2.md`)).toBe('2');
    const changes = await alice.listLabelEvents(world.repository, pull);
    // Once, for the comment: a review shows no label.
    expect(changes.filter(({ label }) => label === 'claude-working')).toHaveLength(2);
  });

  it('is obeyed in a remark on a line, once, and only if they may order it', async () => {
    await world.play([fix(1, { includes: ['src/sum.mjs:2: @claude rename this'] })]);
    const head = await headOf(pull);
    const remark = async (as: string) => {
      const { id: review } = await (await world.as(as, 'write')).createReview(world.repository, pull, {
        ...{ commit: head, decision: 'comment', body: '' },
        comments: [{ path: 'src/sum.mjs', line: 2, body: '@claude rename this' }],
      });
      return world.fleet.event('review-submitted', { number: pull, head, review, text: '', actor: as });
    };
    const forbidden = await remark('mallory');
    await world.as('mallory', 'read');
    expect((await world.fleet.deliver(forbidden))[0]?.refused).toMatchObject([{ because: 'not-permitted' }]);
    const event = await remark('bob');
    expect(messagesOf(await world.fleet.deliver(event, event))).toHaveLength(1);
    expect(world.git('show', `${await headOf(pull)}:fix-1.md`)).toBe('1');
  });

  it('dismisses a finding, and is told when nothing holds it back any more', async () => {
    await world.play([]);
    await world.recordReview(pull, 'It subtracts');
    const outcomes = await world.say(
      pull,
      `@claude dismiss ${findingId('It subtracts')} because it is meant`,
      {
        isPullRequest: true,
      },
    );
    expect((await world.entries(pull, 'finding-dismissed'))[0]?.data).toMatchObject({
      finding: findingId('It subtracts'),
    });
    expect(outcomes[0]?.outcomes[0]?.handoffs).toEqual([{ to: 'auto-merge', task: 'start', number: pull }]);
    expect((await world.said(pull))[0]).toContain(`Dismissed: \`${findingId('It subtracts')}\``);
  });
});
