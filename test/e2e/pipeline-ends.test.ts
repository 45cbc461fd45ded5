/** Every stop of the pipeline: it says why in its own words and which command moves it, wherever a person looks. */
import { afterEach, describe, expect, it } from 'vitest';
import { answersToPipeline } from '../../src/domain/drafts/pipeline-answers.ts';
import {
  escalationStops,
  failureStops,
  type PipelineStop,
  unreadable,
  workStop,
} from '../support/pipeline-stops.ts';
import {
  analysed,
  brokenSum,
  finding,
  fixed,
  PipelineWorld,
  pipelineFiles,
  reviewed,
  triaged,
  written,
} from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world.remove());

const show = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await world.fleet.playground.run(words);
  expect(code, `${words.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
};

/** What is said about the stop of the pipeline, wherever that is said. */
async function readStop() {
  const number = String(world.number);
  return {
    explained: await show('explain', number),
    status: await show('solve', 'status', number),
    state: JSON.parse(await show('solve', 'state', number, '--json')) as Awaited<
      ReturnType<PipelineWorld['state']>
    >,
  };
}

const fileOf = (number: number): string =>
  world.fleet.playground.exists('issue-state.json') ? 'issue-state.json' : `issue-state-${number}.json`;

async function reach({ script, files, issue, before, house, until }: PipelineStop) {
  world = await PipelineWorld.open(script, files ?? pipelineFiles, issue ?? brokenSum);
  if (before !== undefined) {
    await before(world);
    world = await world.another(issue ?? brokenSum);
  }
  return world.go(undefined, until, house?.(world));
}

describe.each([...escalationStops, ...failureStops])('a pipeline that stops at $name', (stop) => {
  it('says why and what to do, on the issue, at the terminal and in its document', async () => {
    const { words, gate, advice } = stop;
    const outcome = await reach(stop);
    expect(outcome, outcome.reason.message).toMatchObject({
      status: gate === 'blocked' ? 'blocked' : 'waiting',
      gate: { kind: gate },
      reason: { code: 'gate', owner: 'person' },
    });
    const [goOn = '', end = ''] = answersToPipeline({ kind: gate }, world.number);
    const comment = (await world.comments()).at(-1) ?? '';
    const answer = gate === 'blocked' ? 'retry' : 'proceed';
    // Their Markdown is inert, and their numbers link to nothing.
    const plain = comment.replaceAll(/[\\`]|&#8203;/gu, '');
    expect(plain).toContain(words.replaceAll('`', '').replace(/^the \w+ stage needs a person: /u, ''));
    expect(plain).toContain(`gatewright solve ${world.number} --${answer} "…" or --stop "…"`);
    expect(plain).toContain(`@claude ${answer}: …`);
    const { explained, status, state } = await readStop();
    expect(explained).toContain(words);
    expect(explained).toContain(`run: ${goOn}`);
    // An order would be refused while the pipeline has the issue.
    expect(explained).toContain('1 thing keeps it from moving');
    expect(status).toContain(words);
    expect(status).toContain(`Continue with: ${goOn}`);
    expect(status).toContain(`Continue with: ${end}`);
    if (advice !== undefined) {
      expect(plain).toContain(advice);
      expect(explained).toContain(`fix: ${advice}`);
      expect(status).toContain(advice);
    }
    expect(state.pipeline).toMatchObject(
      gate === 'blocked'
        ? { status: 'failed', failure_reason: expect.stringContaining(words), next_command: goOn }
        : { status: 'blocked', blocked_reason: expect.stringContaining(words), next_command: goOn },
    );
    expect(state).toEqual(JSON.parse(world.fleet.playground.read(fileOf(world.number))));
    expect((await world.house.ledger.verify()).problems).toEqual([]);
  });
});

describe('a pipeline that stops where it was told to', () => {
  it('says how it goes on', async () => {
    const outcome = await reach(workStop);
    expect(outcome).toMatchObject({ status: 'waiting', gate: { kind: 'work' } });
    const { explained, status, state } = await readStop();
    for (const said of [explained, status]) expect(said).toContain(workStop.words);
    expect(explained).toContain(`run: gatewright solve ${world.number}\n`);
    expect(status).toContain(`Continue with: gatewright solve ${world.number}\n`);
    expect(state.pipeline.next_command).toBe(`gatewright solve ${world.number}`);
  });
});

const solve = async (...words: string[]): Promise<void> => {
  const { playground } = world.fleet;
  const { code, stderr } = await playground.run(['solve', String(world.number), ...words, ...world.models]);
  expect(code, stderr).toBe(0);
};
const named = (name: string): PipelineStop => {
  const found = [...escalationStops, ...failureStops].find((stop) => stop.name === name);
  if (found === undefined) throw new Error(`No stop is called "${name}".`);
  return found;
};
const promptsTo = async (role: string): Promise<string[]> => {
  const sent = (await world.entriesOf('prompt-sent')).filter(({ data }) => data.role === role);
  return Promise.all(sent.map(({ data }) => world.house.ledger.getText(data.prompt)));
};

describe('a stop of the pipeline', () => {
  it.each<[string, PipelineStop, readonly string[], string]>([
    [
      'a duplicate that is none',
      { ...named('a duplicate'), script: [triaged(), analysed(), written(), reviewed()] },
      ['--proceed', 'The other one is about strings.'],
      'pipeline-analyst',
    ],
    [
      'a question that no stage could answer',
      {
        ...named('a question without an answer'),
        script: [...named('a question without an answer').script, written(fixed, {}, 2), reviewed()],
      },
      ['--proceed', 'It is in src/sum.js.'],
      'pipeline-writer',
    ],
    [
      'a reviewer that needs to know more',
      {
        ...named('a reviewer that needs to know more'),
        script: [...named('a reviewer that needs to know more').script, reviewed({}, 2)],
      },
      ['--proceed', 'Overflow is no error.'],
      'pipeline-reviewer',
    ],
    [
      'a review that contradicts itself',
      {
        ...named('a review that contradicts itself'),
        script: [
          ...named('a review that contradicts itself').script,
          written(
            [{ write: 'src/sum.js', content: '// Numbers.\nexport const sum = (a, b) => a + b;\n' }],
            {},
            3,
          ),
          reviewed({}, 3),
        ],
      },
      ['--retry', 'No null check is needed.'],
      'pipeline-writer',
    ],
    [
      'a review that cannot be read',
      {
        ...named('a review that cannot be read'),
        script: [triaged(), analysed(), written(), unreadable(1), unreadable(2), reviewed({}, 3)],
      },
      ['--retry', 'Use the form.'],
      'pipeline-reviewer',
    ],
  ])('is left by its own command: %s', async (_, stop, words, role) => {
    await reach(stop);
    await solve(...words);
    const told = (await promptsTo(role)).at(-1);
    expect(told).toContain(words[1]);
    const state = JSON.parse(await show('solve', 'state', String(world.number), '--json'));
    expect(state.pipeline).toMatchObject({ status: 'completed', next_command: null });
    expect(await show('solve', 'status', String(world.number))).not.toContain('Continue with');
  });

  it('is none for work that is rejected twice and then approved', async () => {
    const more = (call: number, line: string) =>
      written(
        [{ write: 'src/sum.js', content: `${line}\nexport function sum(a, b) {\n  return a + b;\n}\n` }],
        {},
        call,
      );
    const no = (issue: string, call: number, at: object) =>
      reviewed(
        { verdict: 'REJECTED', issues: [finding(issue, at)], feedback_for_writer: `${issue} Now.` },
        call,
      );
    world = await PipelineWorld.open([
      ...[triaged(), analysed(), written(), more(2, '// Of numbers.'), more(3, '// Of two numbers.')],
      no('It does not say what it sums.', 1, { line: 1 }),
      no('How many are summed stays open.', 2, { line: 3 }),
      reviewed({}, 3),
    ]);
    const outcome = await world.go();
    expect(outcome.status, outcome.reason.message).toBe('done');
    expect((await world.stages()).filter((one) => one.startsWith('reviewer'))).toEqual([
      ...['reviewer: rejected by the reviewer', 'reviewer: rejected by the reviewer', 'reviewer: approved'],
    ]);
    const told = await promptsTo('pipeline-writer');
    expect(
      told.map((text) => [text.includes('what it sums. Now.'), text.includes('stays open. Now.')]),
    ).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
    expect(await world.comments()).toEqual([]);
    expect((await world.state()).pipeline).toMatchObject({ status: 'completed', attempt: 3 });
    const pull = await (await world.fleet.as('alice')).getPullRequest(
      world.fleet.repository,
      outcome.result?.number ?? 0,
    );
    expect(pull.body).toContain('Attempts: 3.');
    // It moves as its pull request does.
    const explained = await show('explain', String(world.number));
    expect(explained).toContain(`#${pull.number}: `);
    expect(explained).not.toContain('no order for an agent');
  });
});
