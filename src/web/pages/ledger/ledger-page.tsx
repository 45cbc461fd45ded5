/** The chain of one subject, entry by entry, and the proof that nothing in it was changed. */
import { type ReactNode, useCallback, useState } from 'react';
import type { Entry, Ledger, News, Runs } from '../../data/answers.ts';
import { useAnswer, useGrowingAnswer } from '../../data/use-answers.tsx';
import { plainText } from '../../parts/plain-text.ts';
import { Empty, Hash, Loading, ProblemNote, Text, When } from '../../parts/small-parts.tsx';
import { addressOfLedger, addressOfRun } from '../../routing/read-address.ts';
import { Link } from '../../routing/use-address.tsx';
import { VerifyChain } from './verify-chain.tsx';

function Subjects(): ReactNode {
  const { data, problem } = useAnswer<Runs>('/api/runs?limit=200');
  if (data === null) return <Loading problem={problem} />;
  const latest = new Map(data.runs.toReversed().map((run) => [run.subject, run]));
  if (latest.size === 0)
    return (
      <Empty command="gatewright issue --brief ideas/active/my-idea.md">
        The ledger has nothing of this repository yet. The first entries come with the first run:
      </Empty>
    );
  return (
    <section className="box">
      <h2>
        Subjects of the latest runs <span className="count">{latest.size}</span>
      </h2>
      <ul className="rows">
        {[...latest.values()].toReversed().map((run) => (
          <li className="row" key={run.subject}>
            <code>{plainText(run.subject.slice(run.repository.length))}</code>
            <div className="what">
              <Link to={addressOfLedger(run.subject)} isRow>
                <Text>{run.title}</Text>
              </Link>
            </div>
            <span className="facts">
              <When at={run.changedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface EntryProps {
  readonly entry: Entry;
  readonly isBroken: boolean;
  readonly isMeant: boolean;
}

function EntryRow({ entry, isBroken, isMeant }: EntryProps): ReactNode {
  const { seq, at, kind, run, actor, data, previous, hash } = entry;
  const tone = isBroken ? 'is-broken' : isMeant ? 'is-meant' : '';
  return (
    <li className={`entry ${tone}`} id={`e${seq}`}>
      <details open={isMeant || isBroken}>
        <summary data-row="">
          <span className="number seq">{seq}</span>
          <code className="kind">{kind}</code>
          <span className="actor">{plainText(actor)}</span>
          <code className="summed">{plainText(JSON.stringify(data)).slice(0, 200)}</code>
          <When at={at} />
          <Hash of={hash} />
        </summary>
        <dl className="fields">
          <dt>Hash</dt>
          <dd>
            <code>{hash}</code>
          </dd>
          <dt>Previous</dt>
          <dd>
            <code>{previous}</code>
          </dd>
          <dt>At</dt>
          <dd>{at}</dd>
          {run === '' ? null : (
            <>
              <dt>Run</dt>
              <dd>
                <Link to={addressOfRun(run)}>{run}</Link>
              </dd>
            </>
          )}
          <dt>Data</dt>
          <dd>
            <pre>{plainText(JSON.stringify(data, null, 2))}</pre>
          </dd>
        </dl>
      </details>
    </li>
  );
}

interface PartProps {
  readonly subject: string;
  readonly after: number;
  readonly concern: (news: News) => boolean;
  readonly broken: number | null;
  readonly meant: number | null;
}

function ChainPart({ subject, after, concern, broken, meant }: PartProps): ReactNode {
  const query = new URLSearchParams({ subject, after: String(after), limit: '100' });
  const { data, problem } = useGrowingAnswer<Ledger>(`/api/ledger?${query}`, concern);
  const [isMore, setMore] = useState(false);
  if (data === null) return <Loading problem={problem} />;
  if (data.entries.length === 0 && after === 0)
    return (
      <Empty command="gatewright runs">
        The ledger has nothing about this subject. The runs there are, are listed by:
      </Empty>
    );
  return (
    <>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <ol className="entries" start={after + 1}>
        {data.entries.map((entry) => (
          <EntryRow
            key={entry.seq}
            entry={entry}
            isBroken={entry.seq === broken}
            isMeant={entry.seq === meant}
          />
        ))}
      </ol>
      {data.next === null ? null : isMore ? (
        <ChainPart {...{ subject, concern, broken, meant }} after={data.next} />
      ) : (
        <button type="button" className="more" onClick={() => setMore(true)}>
          Later entries
        </button>
      )}
    </>
  );
}

/** The list begins a little before the entry that the address names. */
const before = 5;

function Chain({ subject, meant }: { readonly subject: string; readonly meant: number | null }): ReactNode {
  const concern = useCallback((news: News) => news.subject === subject, [subject]);
  const [broken, setBroken] = useState<number | null>(null);
  const [after, setAfter] = useState(Math.max(0, (meant ?? 0) - before - 1));
  return (
    <>
      <VerifyChain
        subject={subject}
        linesAddress={`/api/ledger/lines?${new URLSearchParams({ subject })}`}
        onReport={(report) => {
          setBroken(report.broken?.seq ?? null);
          if (report.broken !== null) setAfter(Math.max(0, report.broken.seq - before - 1));
        }}
      />
      <section className="box" aria-label="Entries, newest last">
        {after === 0 ? null : (
          <button type="button" className="more" onClick={() => setAfter(0)}>
            From the first entry
          </button>
        )}
        <ChainPart key={after} {...{ subject, after, concern, broken, meant }} />
      </section>
    </>
  );
}

interface LedgerPageProps {
  readonly subject: string;
  /** The entry that the address names. */
  readonly entry: number | null;
}

export function LedgerPage({ subject, entry }: LedgerPageProps): ReactNode {
  return (
    <>
      <h1 tabIndex={-1}>
        Ledger{subject === '' ? null : ' of '}
        {subject === '' ? null : <Text>{subject}</Text>}
      </h1>
      {subject === '' ? <Subjects /> : <Chain subject={subject} meant={entry} />}
    </>
  );
}
