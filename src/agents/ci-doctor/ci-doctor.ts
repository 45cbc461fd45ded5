/**
 * Says about a failed build what failed, why, and what would fix it: on the pull request, or else on the commit. Code
 * lists the failed jobs and steps. A model explains them; when no model answers, the facts are told alone.
 */

import { fenceUntrusted } from '../../domain/text/fence-untrusted.ts';
import { type ErrorCode, errorCatalogue, isGatewrightError } from '../../errors.ts';
import type { Agent, AgentContext, AgentEnd } from '../agent.ts';
import { withStopsTold } from '../stops/report-stop.ts';
import { type BuildFacts, readBuild } from './read-build.ts';
import {
  type Diagnosis,
  failureSignature,
  makeDiagnosisSchema,
  mostDiagnosesPerDay,
  renderDiagnosis,
  renderLimit,
} from './rules/failure-diagnosis.ts';
import { tellOnBuild } from './tell-on-build.ts';

/** Errors that keep a model from answering and affect nothing else. */
const modelFailures: readonly ErrorCode[] = [
  ...(['model-unknown', 'model-not-authenticated', 'model-refused', 'model-unavailable'] as const),
  ...(['model-mismatch', 'model-unusable-answer', 'quota-exhausted', 'budget-exceeded'] as const),
  ...(['proxy-refused', 'proxy-unreachable', 'certificate-rejected', 'port-blocked'] as const),
  ...(['model-not-installed', 'cassette-invalid', 'cassette-mismatch'] as const),
];

type Words = { readonly diagnosis: Diagnosis } | { readonly missing: string };

async function askForWords(context: AgentContext, build: BuildFacts): Promise<Words> {
  if (build.logs.every(({ log }) => log.trim() === '')) return { missing: 'there is no log to read.' };
  const parts = build.logs.map(({ job, step, log }) => fenceUntrusted('log', `${job} / ${step}\n\n${log}`));
  if (build.change !== '') parts.push(fenceUntrusted('change', build.change));
  try {
    const diagnosis = await context.models.askForObject(
      'writer',
      {
        role: 'doctor',
        call: build.call,
        instructions: await context.prompts.render('agent-diagnose', {}),
        text: `The ends of the logs of the steps that failed${build.change === '' ? '' : ', then the change that was built'}:\n\n${parts.join('\n\n')}`,
        purpose: 'looking for the cause of a failed build',
      },
      makeDiagnosisSchema(),
    );
    return { diagnosis };
  } catch (error) {
    // A missing model must not make this run fail too: the comment then tells the facts without an explanation.
    if (!isGatewrightError(error, ...modelFailures)) throw error;
    return { missing: `no model could be asked (${error.code}). ${errorCatalogue[error.code].meaning}` };
  }
}

/** The name of the pull request or commit whose comments are counted, with the day. */
function placeOf({ repository, startedAt }: AgentContext, build: BuildFacts): string {
  const place = build.number === null ? `${repository}@${build.head}` : `${repository}#${build.number}`;
  return `${place}/diagnosis/${startedAt.toISOString().slice(0, 10)}`;
}

/** Claims one of the day's comments for this run; null when all are used. A resumed run keeps the one that it claimed. */
async function claimPlace(context: AgentContext, build: BuildFacts): Promise<number | null> {
  // A dry run posts no comment, so it must not use up the place of a run that does.
  if (context.request.dryRun) return 1;
  const data = {
    workflowRun: build.run,
    attempt: build.attempt,
    signature: failureSignature(build),
    number: build.number,
  };
  for (let place = 1; place <= mostDiagnosesPerDay; place += 1) {
    const key = `${placeOf(context, build)}/${place}`;
    if ((await context.ledger.find('failure-diagnosed', key)) === null)
      await context.record({ kind: 'failure-diagnosed', key, data });
    // Builds of several commits may end at the same moment: the run whose entry the ledger holds has the place.
    if ((await context.ledger.find('failure-diagnosed', key))?.run === context.runId) return place;
  }
  return null;
}

async function say(context: AgentContext, build: BuildFacts, key: string, text: string): Promise<void> {
  const { repository, effects, ledger, own: author } = context;
  const { number, head: commit } = build;
  const body = () => ledger.putText(text);
  if (number === null)
    await effects.perform(key, 'comment-commit', async () => ({
      repository,
      commit,
      body: await body(),
      author,
    }));
  else
    await effects.perform(key, 'create-comment', async () => ({
      repository,
      number,
      body: await body(),
      author,
    }));
}

async function sayLimit(context: AgentContext, build: BuildFacts): Promise<AgentEnd> {
  const { ledger } = context;
  const key = placeOf(context, build);
  const data = { what: 'diagnosis', limit: mostDiagnosesPerDay } as const;
  await context.record({ kind: 'limit-reached', key, data });
  const message = `${describePlace(build)} had ${mostDiagnosesPerDay} diagnoses today`;
  if ((await ledger.find('limit-reached', key))?.run !== context.runId)
    return { message: `${message}; that was said before` };
  await say(context, build, 'limit', renderLimit(mostDiagnosesPerDay));
  return { message: `${message}; said so once` };
}

function describePlace(build: Pick<BuildFacts, 'number' | 'head'>): string {
  return build.number === null ? build.head.slice(0, 12) : `#${build.number}`;
}

export const ciDoctor: Agent = withStopsTold(tellOnBuild, {
  name: 'ci-doctor',
  async run(context) {
    const { event } = context;
    if (event.kind !== 'workflow-completed')
      throw new TypeError(`ci-doctor was started by ${event.kind}, which is not a build`);
    const found = await context.once('facts', () => readBuild(context, event));
    if ('nothing' in found) return { message: found.nothing };
    const { build } = found;
    const place = await claimPlace(context, build);
    if (place === null) return sayLimit(context, build);
    const words = await context.once('words', () => askForWords(context, build));
    await say(context, build, 'diagnosis', renderDiagnosis(build, words));
    const how = 'diagnosis' in words ? 'diagnosed' : 'told without a diagnosis';
    const commit = event.head.slice(0, 12);
    const told = describePlace(build);
    // Without a pull request it is said on the commit itself.
    const where = told === commit ? `on ${commit}, ${how} there` : `on ${commit}, ${how} at ${told}`;
    return { message: `${event.name} ${where}` };
  },
});
