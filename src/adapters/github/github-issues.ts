/** Issues and labels on GitHub. */
import { checkBody, checkColour, checkTitle } from '../../domain/forge/forge-texts.ts';
import type {
  ForgeIssue,
  ForgeLabel,
  IssueFilter,
  IssueForge,
  IssueText,
  LabelEvent,
} from '../../ports/forge/forge.ts';
import { isAlreadyThere, isMissing } from './client/explain-github-error.ts';
import {
  checkLabels,
  checkNumber,
  type GithubCalls,
  type Place,
  placeOf,
  repositoryRoute,
} from './client/github-calls.ts';
import {
  issueEventPayload,
  issuePayload,
  issueTextPayload,
  issueTextQuery,
  labelPayload,
  toIssue,
  toIssueText,
  toLabel,
  toLabelEvent,
} from './payloads/issue-payloads.ts';

const issueRoute = `${repositoryRoute}/issues/{issue_number}`;

type IssueParts = Pick<
  IssueForge,
  | 'listLabels'
  | 'ensureLabel'
  | 'createIssue'
  | 'getIssue'
  | 'getIssueText'
  | 'listIssues'
  | 'editIssue'
  | 'listLabelEvents'
>;

export class GithubIssues implements IssueParts {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async listLabels(repository: string): Promise<ForgeLabel[]> {
    const place = placeOf(repository);
    const labels = await this.#calls.explained(`labels of ${repository}`, () =>
      this.#calls.client.list(`GET ${repositoryRoute}/labels`, { ...place }, labelPayload),
    );
    return labels.map(toLabel);
  }

  async ensureLabel(repository: string, label: ForgeLabel): Promise<{ created: boolean }> {
    const place = placeOf(repository);
    const [name = ''] = checkLabels([label.name]);
    const color = checkColour(label.colour);
    const isSame = (one: ForgeLabel) => one.name.toLowerCase() === name.toLowerCase();
    if ((await this.listLabels(repository)).some(isSame)) return { created: false };
    return this.#calls.written(
      `making the label "${name}" in ${repository}`,
      () => this.#calls.readRepository(place),
      async () => {
        try {
          const { description } = label;
          await this.#calls.client.write(`POST ${repositoryRoute}/labels`, {
            ...place,
            name,
            color,
            description,
          });
          return { created: true };
        } catch (error) {
          // Another process created the label first.
          if (isAlreadyThere(error)) return { created: false };
          throw error;
        }
      },
    );
  }

  async createIssue(
    repository: string,
    issue: Parameters<IssueForge['createIssue']>[1],
  ): Promise<ForgeIssue> {
    const place = placeOf(repository);
    const [title, body, labels] = [checkTitle(issue.title), checkBody(issue.body), checkLabels(issue.labels)];
    return this.#calls.written(
      `filing an issue in ${repository}`,
      () => this.#calls.readRepository(place),
      async () => {
        if (labels.length > 0) await this.#calls.requireTriage(repository, place);
        const parameters = { ...place, title, body, labels };
        const { client } = this.#calls;
        const made = toIssue(
          await client.writeAndRead(`POST ${repositoryRoute}/issues`, parameters, issuePayload),
        );
        client.catchUp.noteMade(`${repository}#${made.number}`);
        return made;
      },
    );
  }

  async #readIssue(repository: string, number: number): Promise<ForgeIssue> {
    const parameters = { ...placeOf(repository), issue_number: checkNumber(repository, number) };
    return toIssue(await this.#calls.client.get(`GET ${issueRoute}`, parameters, issuePayload));
  }

  async getIssue(repository: string, number: number): Promise<ForgeIssue> {
    return this.#calls.explained(`${repository}#${number}`, () => this.#readIssue(repository, number));
  }

  /** Who edited a text is told by GraphQL only. */
  async getIssueText(repository: string, number: number): Promise<IssueText> {
    const { owner, repo } = placeOf(repository);
    const variables = { owner, name: repo, number: checkNumber(repository, number) };
    return this.#calls.explained(`${repository}#${number}`, async () => {
      try {
        return toIssueText(await this.#calls.client.query(issueTextQuery, variables, issueTextPayload));
      } catch (error) {
        // GraphQL says of an issue that was transferred or deleted only that it is not there; REST says what became of it.
        if (isMissing(error)) await this.#readIssue(repository, number);
        throw error;
      }
    });
  }

  async listIssues(repository: string, filter: IssueFilter = {}): Promise<ForgeIssue[]> {
    const place = placeOf(repository);
    const since = filter.since === undefined ? null : Date.parse(filter.since);
    const updatedSince = filter.updatedSince === undefined ? null : Date.parse(filter.updatedSince);
    // What was created after a moment was changed after it too: GitHub's filter leaves out nothing that we want.
    const changedSince = Math.max(since ?? 0, updatedSince ?? 0);
    const payloads = await this.#calls.explained(`issues of ${repository}`, () =>
      this.#calls.client.list(
        `GET ${repositoryRoute}/issues`,
        {
          ...place,
          state: filter.state ?? 'open',
          sort: 'created',
          direction: 'desc',
          ...(filter.author === undefined ? {} : { creator: filter.author }),
          ...(filter.label === undefined ? {} : { labels: filter.label }),
          ...(changedSince > 0 ? { since: new Date(changedSince).toISOString() } : {}),
        },
        issuePayload,
        (last) => since !== null && Date.parse(last.created_at) < since,
      ),
    );
    // What is filed while we turn pages moves others to the next page, where they come a second time.
    const issues = new Map<number, ForgeIssue>();
    for (const payload of payloads) {
      const isWanted =
        payload.pull_request === undefined &&
        (since === null || Date.parse(payload.created_at) >= since) &&
        (updatedSince === null || Date.parse(payload.updated_at) >= updatedSince);
      if (isWanted) issues.set(payload.number, toIssue(payload));
    }
    return [...issues.values()].sort((a, b) => b.number - a.number);
  }

  async editIssue(
    repository: string,
    number: number,
    change: Parameters<IssueForge['editIssue']>[2],
  ): Promise<ForgeIssue> {
    const place = placeOf(repository);
    const parameters = { ...place, issue_number: checkNumber(repository, number) };
    const { client } = this.#calls;
    // All of it is checked first: GitHub takes the parts one by one.
    const texts = {
      ...(change.title === undefined ? {} : { title: checkTitle(change.title) }),
      ...(change.body === undefined ? {} : { body: checkBody(change.body) }),
      ...(change.state === undefined ? {} : { state: change.state }),
    };
    const added = checkLabels(change.addLabels ?? []);
    const unwanted = checkLabels(change.removeLabels ?? []).map((name) => name.toLowerCase());
    const people = [...new Set(change.addAssignees ?? [])];
    const relieved = [...new Set(change.removeAssignees ?? [])];
    const read = () => this.#readIssue(repository, number);
    return this.#calls.written(`changing ${repository}#${number}`, read, async () => {
      const before = await read();
      if (added.length + unwanted.length + people.length + relieved.length > 0)
        await this.#calls.requireTriage(repository, place);
      if (Object.keys(texts).length > 0)
        await client.write(`PATCH ${issueRoute}`, { ...parameters, ...texts });
      if (added.length > 0) await client.write(`POST ${issueRoute}/labels`, { ...parameters, labels: added });
      const there = [...before.labels, ...added].filter((name) => unwanted.includes(name.toLowerCase()));
      for (const name of checkLabels(there)) await this.#takeOff(parameters, name);
      if (people.length > 0)
        await client.write(`POST ${issueRoute}/assignees`, { ...parameters, assignees: people });
      if (relieved.length > 0)
        await client.write(`DELETE ${issueRoute}/assignees`, { ...parameters, assignees: relieved });
      return read();
    });
  }

  async #takeOff(parameters: Place & { readonly issue_number: number }, name: string): Promise<void> {
    try {
      await this.#calls.client.write(`DELETE ${issueRoute}/labels/{name}`, { ...parameters, name });
    } catch (error) {
      // Another actor removed the label meanwhile.
      if (!isMissing(error)) throw error;
    }
  }

  async listLabelEvents(repository: string, number: number): Promise<LabelEvent[]> {
    const parameters = { ...placeOf(repository), issue_number: checkNumber(repository, number) };
    const events = await this.#calls.explained(`label events of ${repository}#${number}`, () =>
      this.#calls.client.list(`GET ${issueRoute}/events`, parameters, issueEventPayload),
    );
    return events.map(toLabelEvent).filter((event) => event !== null);
  }
}
