/** Runs, open gates and costs, read off the ledger. Kept apart from the ledger: `status` loads this and no more. */
import type { WorkerName } from '../../domain/fleet/agent-names.ts';
import type { EntryData } from '../../domain/ledger/ledger-entry.ts';
import type { RunRequest, RunResult, RunStatus, RunSummary, StopReason } from '../../domain/ledger/run.ts';
import type {
  Cost,
  OpenEvent,
  OpenEventFilter,
  OpenGate,
  Page,
  RunFilter,
  RunViews,
  Waiting,
} from '../../ports/ledger.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from './database.ts';
import { inRepository } from './read-entry.ts';
import { selectSpent } from './spent-query.ts';
import { agentOfCancelled } from './waiting-query.ts';

interface RunRow {
  readonly run: string;
  readonly subject: string;
  readonly root: string | null;
  readonly startedAt: string;
  readonly started: string;
  readonly kind: string;
  readonly changedAt: string;
  readonly data: string;
  readonly cost: number | null;
  readonly costAtMost: number | null;
  readonly node: string | null;
  readonly hasUnpriced: number;
  readonly state: string;
}

// Dropped runs gave up their name; the ledger keeps them, lists do not show them.
const runsQuery = `
SELECT r.run AS run, r.subject AS subject, r.root AS root, s.at AS startedAt, s.data AS started, l.kind AS kind,
       l.at AS changedAt, l.data AS data, r.cost AS cost, r.cost_at_most AS costAtMost, r.node AS node,
       EXISTS (SELECT 1 FROM ledger u WHERE u.run = r.run AND u.kind IN ('model-answered', 'model-failed')
         AND json_extract(u.data, '$.usage.isUnpriced') = 1) AS hasUnpriced,
       r.state AS state
FROM runs r JOIN ledger s ON s.id = r.id JOIN ledger l ON l.id = r.last_id
WHERE r.state <> 'dropped'`;

/** What each part of a filter asks of a run. */
const conditions: Readonly<Record<keyof RunFilter, string>> = {
  repository: 'r.repository = @repository',
  root: 'r.root = @root',
  subject: 'r.subject = @subject',
  workflows: 'r.workflow IN (SELECT value FROM json_each(@workflows))',
  idPrefix: 'substr(r.run, 1, length(@idPrefix)) = @idPrefix',
  issue: `@issue = CASE WHEN r.workflow IN ('agent', 'loop', 'pipeline') THEN json_extract(s.data, '$.request.number')
    ELSE coalesce(json_extract(l.data, '$.result.number'), json_extract(s.data, '$.request.issue.number')) END`,
  slugs: `r.workflow IN ('issue', 'lld')
    AND json_extract(s.data, '$.request.slug') IN (SELECT value FROM json_each(@slugs))`,
  brief: `r.workflow IN ('issue', 'lld') AND json_extract(s.data, '$.request.brief') = @brief`,
  // Found by their state, however many are done.
  doneSince: `r.run IN (SELECT run FROM runs WHERE state IN ('open', 'dismissed')
    UNION ALL SELECT run FROM runs WHERE state = 'done' AND changed_at >= @doneSince)`,
};

const openGatesQuery = `
SELECT a.run AS run, a.at AS askedAt, a.data AS data
FROM runs r JOIN ledger a ON a.run = r.run AND a.kind = 'gate-asked'
WHERE r.state IN ('open', 'dismissed')
  AND NOT EXISTS (SELECT 1 FROM ledger WHERE kind = 'gate-answered' AND key = a.key)
  AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.run = a.run AND l.id > a.id
    AND l.kind IN ('gate-asked', 'brief-changed', 'stage-returned'))
ORDER BY a.id`;

const openEventsQuery = `
SELECT delivery, subject, event, received_at AS receivedAt
FROM open_events
WHERE (@repository IS NULL OR ${inRepository('subject')})
  AND (@subject IS NULL OR subject = @subject)
  AND subject NOT IN (SELECT value FROM json_each(@withoutSubjects))
  AND delivery NOT IN (SELECT value FROM json_each(@withoutDeliveries))
ORDER BY id LIMIT @limit`;

/** Later than any moment that a run can be done at. */
const never = '9999';

type Values = Readonly<Record<string, string | number | null>>;

function toSummary(row: RunRow): RunSummary {
  const data = JSON.parse(row.data) as { status?: RunStatus; reason?: StopReason; result?: RunResult | null };
  const status: RunStatus =
    row.kind === 'run-ended' ? 'done' : row.kind === 'run-stopped' ? (data.status ?? 'failed') : 'running';
  const { request } = JSON.parse(row.started) as EntryData['run-started'];
  return {
    id: row.run,
    subject: row.subject,
    request: { ...request, root: row.root ?? request.root },
    status,
    reason: data.reason ?? null,
    result: data.result ?? null,
    startedAt: row.startedAt,
    changedAt: row.changedAt,
    costUsd: row.cost ?? 0,
    costAtMostUsd: row.costAtMost ?? 0,
    node: row.node,
    ...(row.hasUnpriced === 1 ? { hasUnpriced: true } : {}),
    isDismissed: row.state === 'dismissed',
  };
}

/** Whether the ledger has an event of that delivery. */
export function isEventKnown(database: SqliteDatabase, delivery: string): boolean {
  const sql = `SELECT 1 FROM ledger WHERE kind = 'event-received' AND key = ?`;
  return prepareOnce(database, sql).get(delivery) !== undefined;
}

/** What a row says beyond its kind, from the data of its entry. */
function readDetail(what: Waiting['what'], data: string): Pick<Waiting, 'unmet' | 'because'> {
  if (what === 'merge') return { unmet: (JSON.parse(data) as EntryData['merge-waits']).unmet };
  const { because } = JSON.parse(data) as EntryData['limit-reached'];
  return because === undefined ? {} : { because };
}

export class SqliteRunViews implements RunViews {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  #all<T>(query: string, values: Values = {}): T[] {
    try {
      return prepareOnce(this.#database, query).all(values) as T[];
    } catch (error) {
      return explainDatabaseError(error, this.#database.name);
    }
  }

  async findRun(id: string): Promise<RunSummary | null> {
    const [row] = this.#all<RunRow>(`${runsQuery} AND r.run = @id`, { id });
    return row === undefined ? null : toSummary(row);
  }

  async listRuns(filter: RunFilter = {}, page?: Page): Promise<RunSummary[]> {
    const { workflows, slugs, doneSince, ...plain } = filter;
    const values: Values = {
      ...plain,
      ...(slugs === undefined ? {} : { slugs: JSON.stringify(slugs) }),
      ...(workflows === undefined ? {} : { workflows: JSON.stringify(workflows) }),
      ...(doneSince === undefined ? {} : { doneSince: doneSince === 'never' ? never : doneSince }),
      ...(page === undefined ? {} : { limit: page.limit, before: page.before ?? null }),
    };
    const wanted = Object.keys(filter).map((name) => conditions[name as keyof RunFilter]);
    if (page?.before !== undefined) wanted.push('r.id < (SELECT id FROM runs WHERE run = @before)');
    const where = wanted.map((one) => ` AND ${one}`).join('');
    const limit = page === undefined ? '' : ' LIMIT @limit';
    return this.#all<RunRow>(`${runsQuery}${where} ORDER BY r.id DESC${limit}`, values).map(toSummary);
  }

  async listLastRuns(repository: string): Promise<RunSummary[]> {
    // One walk over the runs for all agents: of one that never ran, none would find its last run sooner.
    const last = `SELECT max(a.id) FROM runs a JOIN ledger b ON b.id = a.id
      WHERE a.workflow = 'agent' AND a.repository = @repository AND a.state <> 'dropped'
      GROUP BY json_extract(b.data, '$.request.agent')`;
    return this.#all<RunRow>(`${runsQuery} AND r.id IN (${last})`, { repository }).map(toSummary);
  }

  async listOpenGates({ subject }: Pick<RunFilter, 'subject'> = {}): Promise<OpenGate[]> {
    const rows = this.#all<{ run: string; askedAt: string; data: string }>(openGatesQuery);
    if (rows.length === 0) return [];
    const filter: RunFilter = { doneSince: 'never', ...(subject === undefined ? {} : { subject }) };
    const unfinished = new Map((await this.listRuns(filter)).map((run) => [run.id, run]));
    return rows.flatMap((row) => {
      const run = unfinished.get(row.run);
      const { question } = JSON.parse(row.data) as EntryData['gate-asked'];
      return run === undefined ? [] : [{ run, question, askedAt: row.askedAt }];
    });
  }

  async listOpenEvents(filter: OpenEventFilter = {}, limit = -1): Promise<OpenEvent[]> {
    const { repository = null, subject = null, without } = filter;
    return this.#all<OpenEvent>(openEventsQuery, {
      ...{ repository, subject, limit },
      withoutSubjects: JSON.stringify(without?.subjects ?? []),
      withoutDeliveries: JSON.stringify(without?.deliveries ?? []),
    });
  }

  async listRenamed(): Promise<{ readonly repository: string; readonly name: string }[]> {
    const rows = this.#all<{ readonly subject: string; readonly name: string }>(
      `SELECT subject, json_extract(data, '$.name') AS name FROM ledger
         WHERE kind = 'repository-renamed' ORDER BY subject, seq`,
    );
    const newest = new Map(rows.map(({ subject, name }) => [subject.replace(/~identity$/u, ''), name]));
    return [...newest]
      .filter(([repository, name]) => name.toLowerCase() !== repository.toLowerCase())
      .map(([repository, name]) => ({ repository, name }));
  }

  async listWaiting(): Promise<Waiting[]> {
    const rows = this.#all<
      Omit<Waiting, 'unmet' | 'because' | 'cancelled'> & {
        readonly data: string | null;
        readonly run: string;
        readonly agent: WorkerName | null;
        readonly by: string;
      }
    >(
      `SELECT w.subject AS subject, w.at AS at, w.what AS what, w.handle AS handle,
              CASE WHEN w.what IN ('merge', 'fix') THEN l.data END AS data, l.run AS run, l.actor AS by,
              CASE w.what WHEN 'cancelled' THEN ${agentOfCancelled('w.id')} END AS agent
         FROM waiting w LEFT JOIN ledger l ON l.id = w.id ORDER BY w.id`,
    );
    return rows.map(({ data, run, agent, by, ...waiting }) => ({
      ...waiting,
      ...(data === null ? {} : readDetail(waiting.what, data)),
      ...(agent === null ? {} : { cancelled: { run, agent, by } }),
    }));
  }

  async countDone(
    since: string,
    repository: string | null = null,
  ): Promise<Readonly<Partial<Record<RunRequest['workflow'], number>>>> {
    const rows = this.#all<{ readonly workflow: RunRequest['workflow']; readonly count: number }>(
      // One that was given up is over, and is not done.
      `SELECT r.workflow AS workflow, count(*) AS count FROM runs r JOIN ledger l ON l.id = r.last_id
         WHERE r.state = 'done' AND r.changed_at >= @since AND r.dry_run = 0
           AND (@repository IS NULL OR r.repository = @repository)
           AND coalesce(json_extract(l.data, '$.reason.code'), '') <> 'cancelled' GROUP BY r.workflow`,
      { since, repository },
    );
    return Object.fromEntries(rows.map(({ workflow, count }) => [workflow, count]));
  }

  async costSince(since: string, repository: string | null = null): Promise<Cost> {
    const [cost] = this.#all<{ usd: number; atMostUsd: number; hasUnpriced: number }>(
      `SELECT coalesce(sum(costUsd), 0) AS usd,
              coalesce(sum(CASE WHEN isAtMost = 1 THEN costUsd END), 0) AS atMostUsd,
              EXISTS (SELECT 1 FROM ledger u WHERE u.kind IN ('model-answered', 'model-failed') AND u.at >= @since
                AND json_extract(u.data, '$.usage.isUnpriced') = 1
                AND (@repository IS NULL OR ${inRepository('u.subject')})) AS hasUnpriced
       FROM ${selectSpent(`l.at >= @since AND (@repository IS NULL OR ${inRepository('l.subject')})`)}`,
      { since, repository },
    );
    return {
      usd: cost?.usd ?? 0,
      atMostUsd: cost?.atMostUsd ?? 0,
      ...(cost?.hasUnpriced === 1 ? { hasUnpriced: true } : {}),
    };
  }
}
