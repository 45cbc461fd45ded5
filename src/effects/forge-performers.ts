/**
 * Effects on the forge. To find the issue, comment or review of an earlier attempt, a performer searches only what our
 * own identity wrote, by its marker.
 */

import { defaultLabelColour } from '../domain/forge/label-table.ts';
import type { EffectOf, EffectResults } from '../domain/ledger/effect.ts';
import { isGatewrightError } from '../errors.ts';
import type { Forge } from '../ports/forge/forge.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Transport } from '../ports/transport.ts';
import { hideMarker } from './marker.ts';
import { type Performer, withSlack } from './performer.ts';
import { postReview } from './post-review.ts';

type ForgeEffect =
  | 'ensure-label'
  | 'create-issue'
  | 'create-comment'
  | 'edit-labels'
  | 'close-issue'
  | 'create-pull-request'
  | 'create-review'
  | 'merge-pull-request'
  | 'enqueue-pull-request'
  | 'merge-together'
  | 'update-branch'
  | 'push-branch'
  | 'delete-branch'
  | 'comment-commit';

/** A merge into the head that this effect expected: our own, or another one with the same result. */
async function findUpdate(
  forge: Forge,
  { repository, number, head: meant }: EffectOf<'update-branch'>,
): Promise<EffectResults['update-branch'] | null> {
  const { head } = await forge.getPullRequest(repository, number);
  if (head.sha === meant) return null;
  const [tip] = await forge.listCommits(repository, head.sha, { limit: 1 });
  return tip?.parents.length === 2 && tip.parents[0] === meant ? { head: head.sha } : null;
}

/** People push too: more than these do not come between a push and the next look at it. */
const mostSince = 100;

/** The commit is on the branch, be it below what people pushed since; one that the branch was set back to is not. */
async function findPush(
  forge: Forge,
  { repository, branch, commit, expected }: EffectOf<'push-branch'>,
): Promise<EffectResults['push-branch'] | null> {
  const now = await forge.getBranch(repository, branch);
  if (now?.sha === commit) return { commit };
  if (now === null || now.sha === expected) return null;
  const shas = (await forge.listCommits(repository, now.sha, { limit: mostSince })).map(({ sha }) => sha);
  const place = shas.indexOf(commit);
  const before = expected === null ? -1 : shas.indexOf(expected);
  return place !== -1 && (before === -1 || place < before) ? { commit } : null;
}

export function makeForgePerformers(
  forge: Forge,
  transport: Pick<Transport, 'pushBranch'>,
  texts: Pick<Ledger, 'getText'>,
): { readonly [K in ForgeEffect]: Performer<K> } {
  const marked = async (body: string, marker: string): Promise<string> =>
    `${(await texts.getText(body)).trimEnd()}\n\n${hideMarker(marker)}\n`;
  const isOurs = (one: { readonly author: string; readonly body: string }, author: string, marker: string) =>
    one.author === author && one.body.includes(hideMarker(marker));
  const messageOf = async (body: string, marker: string): Promise<string> =>
    `${(await texts.getText(body)).trimEnd()}\n\nGatewright-Effect: ${marker}\n`;
  /** The commit that a pull request was merged as, if it was at that head. */
  const findMerge = async (repository: string, number: number, head: string): Promise<string | null> => {
    const pull = await forge.getPullRequest(repository, number);
    return pull.state === 'merged' && pull.head.sha === head ? pull.mergeCommit : null;
  };
  return {
    'ensure-label': {
      async perform({ effect }) {
        const colour = effect.colour || defaultLabelColour;
        const description = effect.description ?? '';
        return forge.ensureLabel(effect.repository, { name: effect.name, colour, description });
      },
      find: async () => null,
      pretend: () => ({ created: false }),
    },
    'create-issue': {
      async perform({ effect, marker }) {
        const body = await marked(effect.body, marker);
        const issue = await forge.createIssue(effect.repository, {
          title: effect.title,
          body,
          labels: effect.labels,
        });
        return { number: issue.number, url: issue.url };
      },
      async find({ effect, marker, since }) {
        // Only an issue that our own identity wrote can be ours: any other account may copy a marker.
        const { author } = effect;
        const issues = await forge.listIssues(effect.repository, {
          state: 'all',
          author,
          since: withSlack(since),
        });
        const found = issues.find((issue) => isOurs(issue, author, marker));
        return found === undefined ? null : { number: found.number, url: found.url };
      },
      pretend: () => ({ number: 0, url: '' }),
    },
    'create-comment': {
      async perform({ effect, marker }) {
        const body = await marked(effect.body, marker);
        const { id, url } = await forge.createComment(effect.repository, effect.number, body);
        return { id, url };
      },
      async find({ effect, marker }) {
        const comments = await forge.listComments(effect.repository, effect.number);
        const found = comments.find((comment) => isOurs(comment, effect.author, marker));
        return found === undefined ? null : { id: found.id, url: found.url };
      },
      pretend: () => ({ id: 0, url: '' }),
    },
    'edit-labels': {
      async perform({ effect }) {
        const { labels, updatedAt } = await forge.editIssue(effect.repository, effect.number, {
          addLabels: effect.add,
          removeLabels: effect.remove,
        });
        return { labels, updatedAt };
      },
      // Doing it again changes nothing.
      find: async () => null,
      pretend: ({ add }) => ({ labels: add, updatedAt: '' }),
    },
    'close-issue': {
      async perform({ effect }) {
        const { state } = await forge.editIssue(effect.repository, effect.number, { state: 'closed' });
        return { closed: state === 'closed' };
      },
      find: async () => null,
      pretend: () => ({ closed: true }),
    },
    'create-pull-request': {
      async perform({ effect, marker }) {
        const { number, url } = await forge.createPullRequest(effect.repository, {
          title: effect.title,
          body: await marked(effect.body, marker),
          head: effect.head,
          base: effect.base,
        });
        return { number, url };
      },
      async find({ effect, marker }) {
        const { head, base, author } = effect;
        const pulls = await forge.listPullRequests(effect.repository, { state: 'all', head, base });
        const found = pulls.find((pull) => isOurs(pull, author, marker));
        return found === undefined ? null : { number: found.number, url: found.url };
      },
      pretend: () => ({ number: 0, url: '' }),
    },
    'create-review': {
      async perform({ effect, marker }) {
        const comments = await Promise.all(
          effect.comments.map(async ({ path, line, body }) => ({
            path,
            line,
            body: await texts.getText(body),
          })),
        );
        const text = await texts.getText(effect.body);
        return postReview(forge, effect, { text, comments, mark: hideMarker(marker) });
      },
      async find({ effect, marker }) {
        const reviews = await forge.listReviews(effect.repository, effect.number);
        const found = reviews.find((review) => isOurs(review, effect.author, marker));
        return found === undefined ? null : { id: found.id, url: found.url };
      },
      pretend: () => ({ id: 0, url: '' }),
    },
    'merge-pull-request': {
      async perform({ effect, marker }) {
        return forge.mergePullRequest(effect.repository, effect.number, {
          head: effect.head,
          title: effect.title,
          body: await messageOf(effect.body, marker),
          base: effect.base,
          ...(effect.methods === undefined ? {} : { methods: effect.methods }),
        });
      },
      async find({ effect }) {
        const commit = await findMerge(effect.repository, effect.number, effect.head);
        return commit === null ? null : { commit };
      },
      pretend: () => ({ commit: '' }),
    },
    'enqueue-pull-request': {
      perform: ({ effect }) => forge.enqueuePullRequest(effect.repository, effect.number, effect.head),
      async find({ effect: { repository, number, head } }) {
        const pull = await forge.getPullRequest(repository, number);
        if (pull.head.sha !== head) return null;
        if (pull.state === 'merged') return { queued: true };
        const { queue } = await forge.readMergeRules(repository, number);
        return queue?.isQueued === true ? { queued: true } : null;
      },
      pretend: () => ({ queued: true }),
    },
    'merge-together': {
      async perform({ effect, marker }) {
        const pulls = await Promise.all(
          effect.pulls.map(async (pull) => ({ ...pull, body: await messageOf(pull.body, marker) })),
        );
        return forge.mergeTogether(effect.repository, { base: effect.base, pulls });
      },
      async find({ effect }) {
        const commits: string[] = [];
        for (const { number, head } of effect.pulls) {
          const commit = await findMerge(effect.repository, number, head);
          // All or none: if one is not merged, the merges of the others were not made by this effect.
          if (commit === null) return null;
          commits.push(commit);
        }
        return { commits };
      },
      pretend: ({ pulls }) => ({ commits: pulls.map(() => '') }),
    },
    'update-branch': {
      async perform({ effect }) {
        try {
          return await forge.updateBranch(effect.repository, effect.number, effect.head);
        } catch (error) {
          // A forge may carry out a request later: the request of an attempt that was cut off may have been done
          // meanwhile.
          const done = isGatewrightError(error, 'head-moved') ? await findUpdate(forge, effect) : null;
          if (done === null) throw error;
          return done;
        }
      },
      find: ({ effect }) => findUpdate(forge, effect),
      pretend: ({ head }) => ({ head }),
    },
    'push-branch': {
      async perform({ effect }) {
        const { repository, branch, commit, expected } = effect;
        await transport.pushBranch(repository, { branch, commit, expected });
        return { commit };
      },
      find: ({ effect }) => findPush(forge, effect),
      pretend: ({ commit }) => ({ commit }),
    },
    'delete-branch': {
      async perform({ effect }) {
        return { deleted: await forge.deleteBranch(effect.repository, effect.branch, effect.at) };
      },
      find: async () => null,
      pretend: () => ({ deleted: true }),
    },
    'comment-commit': {
      async perform({ effect, marker }) {
        const body = await marked(effect.body, marker);
        const { id, url } = await forge.createCommitComment(effect.repository, effect.commit, body);
        return { id, url };
      },
      async find({ effect, marker }) {
        const comments = await forge.listCommitComments(effect.repository, effect.commit);
        const found = comments.find((comment) => isOurs(comment, effect.author, marker));
        return found === undefined ? null : { id: found.id, url: found.url };
      },
      pretend: () => ({ id: 0, url: '' }),
    },
  };
}
