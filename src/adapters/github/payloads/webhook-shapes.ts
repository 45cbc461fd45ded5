/**
 * The parts of GitHub's deliveries that are read, as schemas. They are made once: a schema that is made for every delivery
 * takes longer than all that is done with it.
 */
import { z } from 'zod';
import { person } from './people-payloads.ts';

/** The account that caused the event; it always has a login. A deleted account appears only as the author of a text. */
const someone = z.object({ login: z.string().min(1), type: z.string().optional() });
/**
 * An observation does not depend on its actor, so the sender may be missing: GitHub guarantees one only for events that
 * carry words.
 */
const maybeSomeone = someone.nullish();
const base = z.object({
  action: z.string().optional(),
  repository: z.object({ full_name: z.string(), id: z.int().optional() }),
});
const sha = z.string().regex(/^[0-9a-f]{40,64}$/u);
/** Missing when the label itself was deleted. */
const label = z.object({ name: z.string().min(1) }).nullish();

/** GitHub calls a pull request an issue too, and marks it. */
const issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  pull_request: z.unknown().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});
const pull = z.object({
  number: z.int(),
  head: z.object({ sha }),
  base: z.object({ ref: z.string() }).nullish(),
  merged: z.boolean().nullish(),
  updated_at: z.string(),
});
const checkRun = z.object({
  name: z.string(),
  head_sha: sha,
  conclusion: z.string().nullish(),
  completed_at: z.string().nullish(),
});
const checkSuite = z.object({
  head_sha: sha,
  conclusion: z.string().nullish(),
  app: z.object({ name: z.string() }).nullish(),
  updated_at: z.string().nullish(),
});
const status = z.object({ sha, context: z.string(), state: z.string(), updated_at: z.string() });
const comment = z.object({
  ...{ id: z.int(), body: z.string().nullish(), user: person.unwrap(), created_at: z.string() },
});
const review = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: person.unwrap(),
  submitted_at: z.string().nullish(),
});
/** Of a push only counts where the branch is now: what its commits say is not read. */
const push = z.object({
  ref: z.string(),
  after: sha,
  deleted: z.boolean(),
  repository: z.object({ default_branch: z.string().min(1), pushed_at: z.unknown() }),
});
const run = z.object({
  id: z.int(),
  name: z.string().nullish(),
  head_sha: sha,
  conclusion: z.string().nullish(),
  updated_at: z.string(),
});

/** What an issue was before it was moved here from another repository. */
const moved = z.object({ old_issue: z.unknown() }).nullish();

/** What an edit changed; only that the base is among it counts. */
const retargeting = z.object({
  changes: z.object({ base: z.object({}).optional() }).optional(),
  pull_request: z.object({ base: z.object({ ref: z.string() }) }),
});

const ofIssue = { issue, sender: someone };
const ofPull = { pull_request: pull, number: z.int() };
/** Named twice, and both have to be the same. */
function sameNumber(one: {
  readonly number: number;
  readonly pull_request: { readonly number: number };
}): boolean {
  return one.number === one.pull_request.number;
}
const otherNumber = { path: ['number'], error: 'not the number of the pull request' };

export const shapes = {
  base,
  opened: z.object({ ...ofIssue, issue: issue.extend({ user: person }), changes: moved }),
  assigned: z.object({ ...ofIssue, assignee: maybeSomeone }),
  issueLabel: z.object({ ...ofIssue, label }),
  comment: z.object({ ...ofIssue, comment }),
  review: z.object({ pull_request: pull, review, sender: someone }),
  pull: z.object({ ...ofPull, sender: maybeSomeone }).refine(sameNumber, otherNumber),
  /** For what counts only because of the person who does it. */
  pullOfPerson: z.object({ ...ofPull, sender: someone }).refine(sameNumber, otherNumber),
  label: z.object({ label }),
  dequeued: z.object({ reason: z.string().nullish() }),
  retargeting,
  checkRun: z.object({ check_run: checkRun, sender: maybeSomeone }),
  checkSuite: z.object({ check_suite: checkSuite, sender: maybeSomeone }),
  status: status.extend({ sender: maybeSomeone }),
  push: push.extend({ sender: maybeSomeone }),
  run: z.object({ workflow_run: run, sender: maybeSomeone }),
};

export type Issue = z.infer<typeof issue>;
export type Person = z.infer<typeof person>;
