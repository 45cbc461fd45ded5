/** What GitHub tells a job of GitHub Actions about the workflow run that it belongs to, in variables. */
import { GatewrightError } from '../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ActionsRun {
  readonly eventName: string;
  /** The file that holds what GitHub delivered. */
  readonly eventFile: string;
  readonly repository: string;
  readonly workflowRun: number;
  readonly attempt: number;
  /** The commit that the jobs of the workflow run check out. */
  readonly base: string;
  /** The workflow's own file in `.github/workflows`; null when it is not said. */
  readonly workflowFile: string | null;
  /** Where what other jobs read is written to; null outside of a job. */
  readonly outputFile: string | null;
  readonly summaryFile: string | null;
  /** The page of the workflow run. */
  readonly url: string;
}

/** Whether what is printed is the log of a job, or of a step that a job runs. */
export function isActionsJob({ GITHUB_ACTIONS }: Environment): boolean {
  return GITHUB_ACTIONS === 'true';
}

const workflowPath = /^[^/]+\/[^/]+\/\.github\/workflows\/([A-Za-z0-9][A-Za-z0-9._-]{0,99}\.ya?ml)@/u;

export function readActionsRun(environment: Environment): ActionsRun {
  const missing: string[] = [];
  const text = (name: string, form: RegExp): string => {
    const value = environment[name] ?? '';
    if (!form.test(value)) missing.push(name);
    return value;
  };
  const found = {
    eventName: text('GITHUB_EVENT_NAME', /^[a-z_]{1,100}$/u),
    eventFile: text('GITHUB_EVENT_PATH', /./u),
    repository: text('GITHUB_REPOSITORY', /^[^/\s]+\/[^/\s]+$/u),
    workflowRun: Number(text('GITHUB_RUN_ID', /^[0-9]{1,12}$/u)),
    attempt: Number(text('GITHUB_RUN_ATTEMPT', /^[0-9]{1,6}$/u)),
    base: text('GITHUB_SHA', /^[0-9a-f]{40,64}$/u),
  };
  if (missing.length > 0)
    throw new GatewrightError(
      'usage',
      `This is no job of GitHub Actions: ${missing.join(', ')} is not set.`,
      {
        hint: 'The command is part of the workflows for GitHub Actions. On a machine of yours, use: gatewright dispatch',
      },
    );
  const server = environment.GITHUB_SERVER_URL ?? 'https://github.com';
  return {
    ...found,
    workflowFile: workflowPath.exec(environment.GITHUB_WORKFLOW_REF ?? '')?.[1] ?? null,
    outputFile: environment.GITHUB_OUTPUT || null,
    summaryFile: environment.GITHUB_STEP_SUMMARY || null,
    url: `${server}/${found.repository}/actions/runs/${found.workflowRun}`,
  };
}
