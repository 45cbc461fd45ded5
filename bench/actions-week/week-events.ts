/**
 * The week of a small repository: forty things that people and the clock do, in their order. Whatever follows from one of
 * them has ended before the next one comes, so both fleets see the same week.
 */
import { people } from '../../test/actions/host-world.ts';
import type { RealWorld } from '../../test/actions/real-world.ts';

const day = 86_400_000;

/** The second person with write permission. */
const bob = { login: 'bob', token: 'ghp_canary_bob_0123456789' } as const;

export const buildFile = {
  path: '.github/workflows/ci.yml',
  text: [
    'name: CI',
    'on: { workflow_dispatch: { inputs: { fails: { default: "no" } } } }',
    'permissions: {}',
    `jobs: { test: { runs-on: x, steps: [{ env: { FAILS: "\${{ inputs.fails }}" }, run: "test $FAILS = no || { echo expected 3, got -1; exit 1; }" }] } }`,
    '',
  ].join('\n'),
} as const;

/** The two orders of the week; models find a fault in what is first made of this one. */
export const faulty = 'sum subtracts';
export const faultless = 'Say what sum takes';

type World = Pick<RealWorld, 'server' | 'stored' | 'host' | 'ask'>;
type Step = () => void | Promise<void>;

class Week {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  #find(title: string) {
    const found = this.#world.stored.issues.find((one) => one.title === title && one.pull === null);
    if (found === undefined) throw new Error(`There is no issue "${title}".`);
    return found;
  }

  /** The pull request that has this in its title, or whose text closes that issue. */
  #pull(title: string) {
    const { number } =
      this.#world.stored.issues.find((one) => one.title === title && one.pull === null) ?? {};
    const found = this.#world.stored.issues.find(
      (one) =>
        one.pull !== null &&
        (one.title === title || (number !== undefined && one.body.includes(`#${number}`))),
    );
    if (found === undefined) throw new Error(`There is no pull request for "${title}".`);
    return found;
  }

  async #ask(token: string, path: string, body: unknown): Promise<void> {
    const { status, body: told } = await this.#world.ask(token, 'POST', path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(told)}`);
  }

  clock =
    (cron: string): Step =>
    () =>
      this.#world.host.tick(cron);

  issue =
    (title: string, body: string): Step =>
    () => {
      const { server, stored } = this.#world;
      server.state.addIssue(stored, 'alice', title, body, []);
    };

  comment =
    (title: string, body: string, login = 'alice'): Step =>
    () => {
      this.#world.server.state.addComment(this.#find(title), login, body);
    };

  commentPull =
    (title: string, body: string, login = 'alice'): Step =>
    () => {
      this.#world.server.state.addComment(this.#pull(title), login, body);
    };

  label =
    (title: string, name: string, of: 'issue' | 'pull' = 'issue'): Step =>
    () => {
      const { server, stored } = this.#world;
      server.state.putLabels(stored, of === 'issue' ? this.#find(title) : this.#pull(title), [name], 'alice');
    };

  assign =
    (title: string): Step =>
    () =>
      this.#ask(people.alice, `/issues/${this.#find(title).number}/assignees`, { assignees: [bob.login] });

  open =
    (title: string, head: string, content: string): Step =>
    () => {
      this.#world.stored.git.commit(head, { [`${head}.txt`]: content }, { from: 'main' });
      return this.#ask(bob.token, '/pulls', { title, head, base: 'main', body: 'By hand.' });
    };

  push =
    (head: string): Step =>
    async () => {
      this.#world.stored.git.commit(head, { [`${head}-more.txt`]: 'more\n' });
      // The small GitHub looks at its branches when it is asked something.
      await this.#world.ask(bob.token, 'GET', '/pulls');
    };

  approve =
    (title: string): Step =>
    () =>
      this.#ask(people.alice, `/pulls/${this.#pull(title).number}/reviews`, {
        event: 'APPROVE',
        body: 'Good.',
      });

  build =
    (fails: 'yes' | 'no'): Step =>
    () =>
      this.#ask(people.alice, '/actions/workflows/ci.yml/dispatches', { ref: 'main', inputs: { fails } });
}

const plain = ['Faster start', 'Typo in the readme', 'Windows?', 'Where is the manual?'] as const;

/** What there is before the week begins. */
export function seedWeek({ server, stored, host }: World): void {
  server.addUser(bob.login, bob.token);
  stored.roles.set(bob.login, 'write');
  server.state.advance(-10 * day);
  server.state.addIssue(stored, 'alice', 'Old question', 'How does it add?', ['question']);
  server.state.addIssue(stored, 'alice', 'Texts', 'It fails on texts.', []);
  server.state.advance(10 * day);
  host.passOver();
}

/** Day by day. */
export function listWeek(world: World, autoMerge: string, bug: string): readonly (readonly Step[])[] {
  const week = new Week(world);
  const digest = week.clock('0 8 * * *');
  const [one, two, three, four] = plain;
  return [
    [
      ...[week.clock('0 0 * * 1'), digest, week.clock('0 9 * * 1'), week.clock('0 10 * * 1')],
      week.issue(one, 'It takes a second to start.'),
      week.comment(one, 'Same here.'),
      week.issue(faulty, 'sum(1, 2) is -1. @claude please.'),
    ],
    [
      ...[digest, week.comment(one, 'On my machine two.'), week.comment('Texts', 'Which texts?', bob.login)],
      week.label(one, bug),
      week.open('Write down the rules', 'rules', 'one\n'),
      week.commentPull('Write down the rules', 'I wonder about the last line.'),
    ],
    [
      ...[digest, week.approve('Write down the rules'), week.push('rules')],
      week.comment(one, 'Any news?', bob.login),
      ...[week.label(faulty, autoMerge, 'pull'), week.issue(two, 'A word is there twice.'), week.build('no')],
    ],
    [
      ...[
        digest,
        week.issue(faultless, 'Its readers have to guess.'),
        week.comment(faultless, '@claude please.'),
      ],
      ...[week.comment(two, 'Which one?'), week.comment(two, 'The the.', bob.login), week.assign(one)],
      week.build('yes'),
    ],
    [
      ...[digest, week.clock('0 9 * * 5'), week.open('Many words', 'words', 'word\n'.repeat(500))],
      week.commentPull('Many words', 'That is a lot.'),
      ...[week.label(two, 'someday'), week.issue(three, 'Does it run there?'), week.approve('Many words')],
    ],
    [digest, week.comment(three, 'It should.', bob.login), week.issue(four, 'I do not find it.')],
    [...[digest, week.comment(four, 'In docs.'), week.build('no')]],
  ];
}
