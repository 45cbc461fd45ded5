/**
 * Every command in a process of its own, as people run it: it loads what it needs, does its work, ends by itself and with
 * the right code. The other tests share a process between commands in `npm test` (see `warm-program.ts`), where this one
 * takes a command of each file of commands.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/entrypoints/cli/table/table.ts';
import { Playground, type Result } from '../support/playground.ts';
import { onlyOf } from '../support/property-runs.ts';

/** They run until they are stopped: their own tests start and stop real processes. */
const elsewhere = ['watch', 'serve'];

const brief = 'ideas/active/export-csv.md';

/** In this order, each goes on with what the others left: the words, the exit code, and what is told. */
const story: readonly (readonly [words: string, code: number, says: RegExp])[] = [
  ['completion bash', 0, /_gatewright/u],
  ['config schema', 0, /"\$schema"/u],
  ['config validate', 0, /^/u],
  ['config show', 0, /^actor +alice/mu],
  ['labels', 0, /auto-merge/u],
  ['labels list', 0, /auto-merge/u],
  ['labels sync', 0, /auto-merge/u],
  ['agents', 0, /implementer/u],
  ['actions propose --agents reviewer', 2, /--out/u],
  ['actions apply --agents reviewer', 2, /no job of GitHub Actions/u],
  ['doctor', 0, /git/u],
  [`issue --brief ${brief} --auto`, 0, /issues\/1$/mu],
  // Without a model the design stays incomplete: the run stops and asks.
  ['lld 1 --auto', 11, /^/u],
  ['lld status', 0, /^/u],
  ['gates', 0, /draft gate/u],
  ['gate answer GATE --choice send', 10, /^/u],
  ['status', 0, /1 filed/u],
  ['runs', 0, /export-csv/u],
  ['runs show export-csv', 0, /done/u],
  ['explain 1', 0, /no order for an agent/u],
  ['ledger show export-csv', 0, /run-started/u],
  ['ledger verify', 0, /Sound/u],
  ['record export-csv ../recorded.json', 0, /^/u],
  ['replay ../recorded.json', 0, /^/u],
  ['forge issue create --title Hello --body There', 0, /issues\/2$/mu],
  ['forge issue comment 2 --body Words', 0, /Commented on #2/u],
  ['forge issue edit 2 --add-label bug', 0, /^/u],
  ['forge issue close 2', 0, /^/u],
  ['forge issue reopen 2', 0, /^/u],
  ['forge issue list', 0, /#2 .*Hello/u],
  ['forge issue view 2', 0, /Hello #2/u],
  ['forge label create odd', 0, /Made/u],
  ['forge label list', 0, /odd/u],
  ['forge permission set bob write', 0, /bob/u],
  ['forge permission list', 0, /bob +write/u],
  ['forge pr create --title Topic --head topic', 0, /pull\/3$/mu],
  ['forge pr comment 3 --body Words', 0, /Commented on #3/u],
  ['forge pr edit 3 --title Better', 0, /^/u],
  ['forge pr ready 3 --undo', 0, /^/u],
  ['forge pr ready 3', 0, /^/u],
  ['forge pr close 3', 0, /^/u],
  ['forge pr reopen 3', 0, /^/u],
  ['forge pr review 3 --comment --body Words', 0, /#3/u],
  ['forge pr diff 3', 0, /^\+topic$/mu],
  ['forge pr checks 3', 0, /^/u],
  ['forge pr update-branch 3', 0, /up to date/u],
  ['forge pr list', 0, /#3 +open +Better/u],
  ['forge pr view 3', 0, /Better #3/u],
  ['forge pr merge 3 --squash', 0, /Merged #3/u],
  ['forge run report ci --conclusion success --branch main', 0, /ci/u],
  ['forge run list', 0, /ci/u],
  ['forge check report lint --state success --branch main', 0, /lint/u],
  ['forge commit comments main', 0, /^/u],
  ['runs dismiss GATE', 0, /^/u],
  ['runs cancel #1', 0, /^/u],
  ['loop setup', 0, /ai-loop\.yml/u],
  ['loop list', 0, /#2 .*Hello/u],
  ['loop status', 0, /^/u],
  // No issue has a loop here: each says so.
  ['loop plan 2 --approve --revise Words', 2, /^/u],
  ['loop implement', 2, /^/u],
  ['loop testing 2 works', 1, /^/u],
  ['loop close 2', 1, /^/u],
  ['loop retry 2', 1, /^/u],
  ['loop replan 2 --change Words', 1, /^/u],
  ['loop skip 2 US-001 --reason Words', 1, /^/u],
  ['loop context 2', 1, /^/u],
  ['loop wisp add 2 Words', 1, /^/u],
  ['loop wisp list 2', 1, /^/u],
  ['loop wisp promote 2 wsp_0123456789ab', 1, /^/u],
  ['loop resume 01ABCDEF', 1, /^/u],
  ['solve 2 --dry-run', 0, /== triage/u],
  ['solve status', 0, /^/u],
  // No pipeline has worked on it.
  ['solve state 2', 1, /^/u],
  ['learnings', 0, /^/u],
  ['learnings list', 0, /^/u],
  ['learnings edit lrn_0123456789 --text Words', 2, /^/u],
  ['learnings remove lrn_0123456789', 2, /^/u],
  ['actions lint', 0, /^/u],
  // No channel is set.
  ['notify', 1, /^/u],
  ['notify test', 1, /^/u],
  ['feedback', 0, /gatewright/iu],
  ['dispatch', 0, /^/u],
  ['init --yes', 0, /^/u],
  ['demo --once', 0, /^/u],
];

/** Each is in a file of its own, and needs none of the others to have been run. */
const few = [
  'completion bash',
  'config schema',
  'labels',
  'agents',
  `issue --brief ${brief} --auto`,
  'status',
  'runs show export-csv',
  'explain 1',
  'ledger verify',
  'forge issue create --title Hello --body There',
  'dispatch',
];
const told = onlyOf(
  story,
  story.filter(([words]) => few.includes(words)),
);

let playground: Playground;
beforeAll(() => {
  playground = new Playground();
  playground.git('checkout', '--quiet', '-b', 'topic');
  playground.commit({ 'topic.txt': 'topic\n' });
  playground.git('checkout', '--quiet', 'main');
});
afterAll(() => playground.remove());

describe('each command, in a process of its own', () => {
  it('all of them are tried, and some of them in npm test', () => {
    expect(story.filter(([words]) => few.includes(words))).toHaveLength(few.length);
    const tried = commands.filter(({ name }) => story.some(([words]) => `${words} `.startsWith(`${name} `)));
    expect([...tried.map(({ name }) => name), ...elsewhere].sort()).toEqual(
      commands.map(({ name }) => name).sort(),
    );
  });

  it.each(told)('%s', async (words, code, says) => {
    const run = (args: readonly string[]): Promise<Result> =>
      playground.run(args, { isAlone: true, env: { TMPDIR: playground.folder } });
    const [gate] = words.includes('GATE')
      ? (JSON.parse((await run(['gates', '--json'])).stdout) as { readonly id: string }[])
      : [];
    const result = await run(words.replace('GATE', gate?.id ?? '').split(' '));
    expect(result.code, result.all).toBe(code);
    // What a command could not do is told on standard error.
    expect(code === 0 ? result.stdout : result.all, result.all).toMatch(says);
  });
});
