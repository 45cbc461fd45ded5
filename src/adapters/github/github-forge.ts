/** Issues, labels, comments and permissions on GitHub or GitHub Enterprise, acting for whoever the token belongs to. */
import { checkBody, checkColour, checkComment, checkTitle } from '../../domain/forge-texts.ts';
import { checkLabelName } from '../../domain/labels.ts';
import { isAtLeast } from '../../domain/permission.ts';
import { isRepositoryName } from '../../domain/subject.ts';
import { GatewrightError } from '../../errors.ts';
import type {
  Forge,
  ForgeComment,
  ForgeIssue,
  ForgeLabel,
  IssueFilter,
  Permission,
} from '../../ports/forge.ts';
import { isAlreadyThere, isMissing } from './explain-github-error.ts';
import { GithubClient, type GithubClientOptions } from './github-client.ts';
import {
  commentPayload,
  issuePayload,
  labelPayload,
  permissionPayload,
  repositoryPayload,
  toComment,
  toIssue,
  toLabel,
  toOwnPermission,
  toPermission,
  userPayload,
} from './github-payloads.ts';

const repositoryRoute = '/repos/{owner}/{repo}';
const issueRoute = `${repositoryRoute}/issues/{issue_number}`;

interface Place {
  readonly owner: string;
  readonly repo: string;
}

function placeOf(repository: string): Place {
  const [owner = '', repo = ''] = repository.split('/');
  // Names become parts of an address: ".." would lead elsewhere.
  if (!isRepositoryName(repository))
    throw new GatewrightError('forge-not-found', 'That is not the name of a repository on GitHub.');
  return { owner, repo };
}

function checkNumber(repository: string, number: number): number {
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new GatewrightError('forge-not-found', `${repository} has no issue #${number}.`);
}

/** Trimmed, and each once, however it is spelled. */
function checkLabels(names: readonly string[]): string[] {
  const checked = new Map<string, string>();
  for (const name of names) {
    const label = checkLabelName(name);
    // As a part of an address "." vanishes: taking off the label "." would take off all labels.
    if (label === '.' || label === '..')
      throw new GatewrightError('label-invalid', 'A label on GitHub cannot be "." or "..".');
    if (!checked.has(label.toLowerCase())) checked.set(label.toLowerCase(), label);
  }
  return [...checked.values()];
}

export class GithubForge implements Forge {
  readonly kind = 'github';
  readonly #client: GithubClient;
  #login: string | null = null;

  constructor(options: GithubClientOptions) {
    this.#client = new GithubClient(options);
  }

  async #explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#client.explain(error, what);
    }
  }

  async whoAmI(): Promise<string> {
    if (this.#login === null) {
      const { login } = await this.#explained('who am I', () =>
        this.#client.get('GET /user', {}, userPayload),
      );
      this.#login = login;
    }
    return this.#login;
  }

  async #ownPermission(place: Place): Promise<Permission> {
    return toOwnPermission(await this.#client.get(`GET ${repositoryRoute}`, { ...place }, repositoryPayload));
  }

  async permissionOf(repository: string, actor: string): Promise<Permission> {
    const place = placeOf(repository);
    const isOwn = actor.toLowerCase() === (await this.whoAmI()).toLowerCase();
    return this.#explained(`permissions on ${repository}`, async () => {
      if (isOwn) return this.#ownPermission(place);
      if (!/^[A-Za-z0-9_-]+(?:\[bot\])?$/u.test(actor)) return 'none';
      try {
        return toPermission(
          await this.#client.get(
            `GET ${repositoryRoute}/collaborators/{username}/permission`,
            { ...place, username: actor },
            permissionPayload,
          ),
        );
      } catch (error) {
        if (!isMissing(error)) throw error;
        // Either there is no such repository, and this throws, or no such person.
        await this.#ownPermission(place);
        return 'none';
      }
    });
  }

  /** GitHub drops the labels of people who may not set them without a word; we say so, before anything is written. */
  async #requireTriage(repository: string, place: Place): Promise<void> {
    if (isAtLeast(await this.#ownPermission(place), 'triage')) return;
    throw new GatewrightError('forge-forbidden', `Labels on ${repository} need "triage" permission.`, {
      hint: 'Ask an administrator of the repository for it.',
    });
  }

  /** To some who may read and not write, GitHub says that there is nothing. Told apart by looking. */
  async #written<T>(what: string, isThere: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
    return this.#explained(what, async () => {
      try {
        return await work();
      } catch (error) {
        if (!isMissing(error)) throw error;
        await isThere();
        throw new GatewrightError('forge-forbidden', `You may not do this on GitHub: ${what}.`, {
          hint: 'The token or its owner needs write access to issues of the repository.',
        });
      }
    });
  }

  async listLabels(repository: string): Promise<ForgeLabel[]> {
    const place = placeOf(repository);
    const labels = await this.#explained(`labels of ${repository}`, () =>
      this.#client.list(`GET ${repositoryRoute}/labels`, { ...place }, labelPayload),
    );
    return labels.map(toLabel);
  }

  async ensureLabel(repository: string, label: ForgeLabel): Promise<{ created: boolean }> {
    const place = placeOf(repository);
    const [name = ''] = checkLabels([label.name]);
    const color = checkColour(label.colour);
    const isSame = (one: ForgeLabel) => one.name.toLowerCase() === name.toLowerCase();
    if ((await this.listLabels(repository)).some(isSame)) return { created: false };
    return this.#written(
      `making the label "${name}" in ${repository}`,
      () => this.#ownPermission(place),
      async () => {
        try {
          const { description } = label;
          await this.#client.write(`POST ${repositoryRoute}/labels`, { ...place, name, color, description });
          return { created: true };
        } catch (error) {
          // Somebody else was quicker.
          if (isAlreadyThere(error)) return { created: false };
          throw error;
        }
      },
    );
  }

  async createIssue(
    repository: string,
    issue: { readonly title: string; readonly body: string; readonly labels: readonly string[] },
  ): Promise<ForgeIssue> {
    const place = placeOf(repository);
    const [title, body, labels] = [checkTitle(issue.title), checkBody(issue.body), checkLabels(issue.labels)];
    return this.#written(
      `filing an issue in ${repository}`,
      () => this.#ownPermission(place),
      async () => {
        if (labels.length > 0) await this.#requireTriage(repository, place);
        const parameters = { ...place, title, body, labels };
        return toIssue(
          await this.#client.writeAndRead(`POST ${repositoryRoute}/issues`, parameters, issuePayload),
        );
      },
    );
  }

  async #readIssue(repository: string, number: number): Promise<ForgeIssue> {
    const place = placeOf(repository);
    const parameters = { ...place, issue_number: checkNumber(repository, number) };
    const payload = await this.#client.get(`GET ${issueRoute}`, parameters, issuePayload);
    if (payload.pull_request !== undefined)
      throw new GatewrightError(
        'forge-not-found',
        `${repository}#${number} is a pull request, not an issue.`,
      );
    return toIssue(payload);
  }

  async getIssue(repository: string, number: number): Promise<ForgeIssue> {
    return this.#explained(`${repository}#${number}`, () => this.#readIssue(repository, number));
  }

  async listIssues(repository: string, filter: IssueFilter = {}): Promise<ForgeIssue[]> {
    const place = placeOf(repository);
    const since = filter.since === undefined ? null : Date.parse(filter.since);
    const payloads = await this.#explained(`issues of ${repository}`, () =>
      this.#client.list(
        `GET ${repositoryRoute}/issues`,
        {
          ...place,
          state: filter.state ?? 'open',
          sort: 'created',
          direction: 'desc',
          ...(filter.author === undefined ? {} : { creator: filter.author }),
          ...(filter.label === undefined ? {} : { labels: filter.label }),
          // GitHub means the date of the last change: that leaves out nothing we want.
          ...(since === null ? {} : { since: new Date(since).toISOString() }),
        },
        issuePayload,
        (last) => since !== null && Date.parse(last.created_at) < since,
      ),
    );
    // What is filed while we turn pages moves others to the next page, where they come a second time.
    const issues = new Map<number, ForgeIssue>();
    for (const payload of payloads) {
      const isWanted = since === null || Date.parse(payload.created_at) >= since;
      if (payload.pull_request === undefined && isWanted) issues.set(payload.number, toIssue(payload));
    }
    return [...issues.values()].sort((a, b) => b.number - a.number);
  }

  async editIssue(
    repository: string,
    number: number,
    change: Parameters<Forge['editIssue']>[2],
  ): Promise<ForgeIssue> {
    const parameters = { ...placeOf(repository), issue_number: checkNumber(repository, number) };
    // All of it is checked first: GitHub takes the parts one by one.
    const texts = {
      ...(change.title === undefined ? {} : { title: checkTitle(change.title) }),
      ...(change.body === undefined ? {} : { body: checkBody(change.body) }),
      ...(change.state === undefined ? {} : { state: change.state }),
    };
    const added = checkLabels(change.addLabels ?? []);
    const unwanted = checkLabels(change.removeLabels ?? []).map((name) => name.toLowerCase());
    const read = () => this.#readIssue(repository, number);
    return this.#written(`changing ${repository}#${number}`, read, async () => {
      const before = await read();
      if (added.length + unwanted.length > 0) await this.#requireTriage(repository, placeOf(repository));
      if (Object.keys(texts).length > 0)
        await this.#client.write(`PATCH ${issueRoute}`, { ...parameters, ...texts });
      if (added.length > 0)
        await this.#client.write(`POST ${issueRoute}/labels`, { ...parameters, labels: added });
      const there = [...before.labels, ...added].filter((name) => unwanted.includes(name.toLowerCase()));
      for (const name of checkLabels(there)) await this.#takeOff(parameters, name);
      return read();
    });
  }

  async #takeOff(parameters: Place & { readonly issue_number: number }, name: string): Promise<void> {
    try {
      await this.#client.write(`DELETE ${issueRoute}/labels/{name}`, { ...parameters, name });
    } catch (error) {
      // Somebody else took it off meanwhile.
      if (!isMissing(error)) throw error;
    }
  }

  async createComment(repository: string, number: number, body: string): Promise<ForgeComment> {
    const parameters = { ...placeOf(repository), issue_number: checkNumber(repository, number) };
    checkComment(body);
    return this.#written(
      `commenting on ${repository}#${number}`,
      () => this.#readIssue(repository, number),
      async () =>
        toComment(
          await this.#client.writeAndRead(
            `POST ${issueRoute}/comments`,
            { ...parameters, body },
            commentPayload,
          ),
        ),
    );
  }

  async listComments(repository: string, number: number): Promise<ForgeComment[]> {
    const parameters = { ...placeOf(repository), issue_number: checkNumber(repository, number) };
    const comments = await this.#explained(`comments of ${repository}#${number}`, () =>
      this.#client.list(`GET ${issueRoute}/comments`, parameters, commentPayload),
    );
    return comments.map(toComment);
  }
}
