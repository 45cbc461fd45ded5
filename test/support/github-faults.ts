/** Refusals of GitHub in its own words, as it was seen to give them, for the list of faults of the small GitHub. */
import type { Fault } from './github-fault.ts';

const refuse = (method: string, path: RegExp, status: number, body: unknown): Fault => ({
  method,
  path,
  answer: { status, body },
});

const ofPull = (more: object) => ({
  message: 'Validation Failed',
  errors: [{ resource: 'PullRequest', ...more }],
});

/** What it says about a branch that was pushed a moment ago. */
export const lateOpenings: Readonly<Record<string, Fault>> = {
  'head invalid': refuse('POST', /\/pulls$/u, 422, ofPull({ field: 'head', code: 'invalid' })),
  'no commits between': refuse(
    'POST',
    /\/pulls$/u,
    422,
    ofPull({ code: 'custom', message: 'No commits between main and fresh' }),
  ),
  'head sha missing': refuse('POST', /\/pulls$/u, 422, {
    message: 'Validation Failed',
    errors: [
      { resource: 'PullRequest', code: 'missing_field', field: 'head_sha' },
      { resource: 'PullRequest', code: 'missing_field', field: 'base_sha' },
      { resource: 'PullRequest', code: 'custom', message: 'No commits between main and fresh' },
    ],
  }),
  'head sha blank': refuse(
    'POST',
    /\/pulls$/u,
    422,
    ofPull({ code: 'custom', message: "Head sha can't be blank, Head ref must be a branch" }),
  ),
};

export const lateMerges: Readonly<Record<string, Fault>> = {
  'base modified': refuse('PUT', /\/merge$/u, 405, {
    message: 'Base branch was modified. Review and try the merge again.',
  }),
  'head modified': refuse('PUT', /\/merge$/u, 409, {
    message: 'Head branch was modified. Review and try the merge again.',
  }),
  'in progress': refuse('PUT', /\/merge$/u, 405, { message: 'Merge already in progress' }),
  'not mergeable yet': refuse('PUT', /\/merge$/u, 405, { message: 'Pull Request is not mergeable' }),
};

export const lateUpdates: Readonly<Record<string, Fault>> = {
  'head did not match': refuse('PUT', /\/update-branch$/u, 422, {
    message: 'expected head sha didn’t match current head ref.',
  }),
  'no new commits': refuse('PUT', /\/update-branch$/u, 422, {
    message: 'There are no new commits on the base branch.',
  }),
  conflict: {
    ...{ method: 'PUT', path: /\/update-branch$/u },
    answer: { status: 409, body: { message: 'Conflict' }, deviates: 'seen, and not described' },
  },
};

/** Of a thing that was made a moment ago. */
export const notThereYet = (method: string, path: RegExp): Fault =>
  refuse(method, path, 404, { message: 'Not Found' });
