/** All runs, newest first, and those of one number or one state. */
import { type ReactNode, useMemo, useState } from 'react';
import { pageAddresses } from '../../entrypoints/server/api/schemas/page-addresses.ts';
import type { News, Run, Runs } from '../data/answers.ts';
import { useAnswer } from '../data/use-answers.tsx';
import { Empty, Loading, Money, ProblemNote, Standing, Text, When } from '../parts/small-parts.tsx';
import { addressOfRun } from '../routing/read-address.ts';
import { Link } from '../routing/use-address.tsx';
import { howToBegin, readFilter, workflows } from './runs-filter.ts';

function askFor(filter: URLSearchParams, before: string | null): string {
  const asked = new URLSearchParams([['limit', '50'], ...filter]);
  if (before !== null) asked.set('before', before);
  return `/api/runs?${asked}`;
}

function RunRow({ run }: { readonly run: Run }): ReactNode {
  const why = run.reason?.message ?? run.node;
  return (
    <li className="row">
      <Standing of={run.standing} />
      <div className="what">
        <Link to={addressOfRun(run.id)} isRow>
          <Text>{run.name}</Text>
        </Link>
        {run.number === null ? null : <span className="quiet"> #{run.number}</span>}
        {run.isDryRun ? <span className="tag">dry run</span> : null}
        {why === null ? null : (
          <p className="quiet one-line">
            <Text>{why}</Text>
          </p>
        )}
      </div>
      <span className="facts">
        <span>{run.agent ?? run.workflow}</span>
        <When at={run.changedAt} />
        <Money {...run} />
      </span>
    </li>
  );
}

const ofAnything = (): boolean => true;
/** Older runs change seldom, and by these entries. */
const ofRuns = ({ kind }: News): boolean => kind.startsWith('run-');

function NoRuns({ filter }: { readonly filter: URLSearchParams }): ReactNode {
  const none = filter.size === 0 ? 'There is no run yet.' : 'No run is like that.';
  const { words, command } = howToBegin(filter);
  return command === null ? (
    <Empty>
      {none} {words}
    </Empty>
  ) : (
    <Empty command={command}>
      {none} {words}
    </Empty>
  );
}

interface PartProps {
  readonly query: URLSearchParams;
  readonly before: string | null;
}

/** One page of the list; it shows the next one when asked. */
function RunsPart({ query, before }: PartProps): ReactNode {
  const { data, problem } = useAnswer<Runs>(askFor(query, before), before === null ? ofAnything : ofRuns);
  const [isMore, setMore] = useState(false);
  if (data === null) return <Loading problem={problem} />;
  if (data.runs.length === 0 && before === null) return <NoRuns filter={query} />;
  return (
    <>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <ul className="rows">
        {data.runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
      {data.next === null ? null : isMore ? (
        <RunsPart query={query} before={data.next} />
      ) : (
        <button type="button" className="more" onClick={() => setMore(true)}>
          Older runs
        </button>
      )}
    </>
  );
}

function FilterLink({
  name,
  value,
  query,
  children,
}: {
  readonly name: string;
  readonly value: string | null;
  readonly query: URLSearchParams;
  readonly children: string;
}): ReactNode {
  const changed = new URLSearchParams(query);
  if (value === null) changed.delete(name);
  else changed.set(name, value);
  const to = changed.size === 0 ? pageAddresses.runs : `${pageAddresses.runs}?${changed}`;
  return (
    <Link to={to} isCurrent={query.get(name) === value}>
      {children}
    </Link>
  );
}

export function RunsPage({ query: given }: { readonly query: URLSearchParams }): ReactNode {
  const query = useMemo(() => readFilter(given), [given]);
  const number = query.get('number');
  return (
    <>
      <h1 tabIndex={-1}>{number === null ? 'Runs' : `Runs on #${number}`}</h1>
      <nav className="filters" aria-label="Which runs">
        <FilterLink name="state" value={null} query={query}>
          All
        </FilterLink>
        <FilterLink name="state" value="open" query={query}>
          Not done
        </FilterLink>
        <span className="apart" />
        <FilterLink name="workflow" value={null} query={query}>
          Every kind
        </FilterLink>
        {workflows.map((one) => (
          <FilterLink key={one} name="workflow" value={one} query={query}>
            {one}
          </FilterLink>
        ))}
        {number === null ? null : (
          <FilterLink name="number" value={null} query={query}>
            {`Not only #${number}`}
          </FilterLink>
        )}
      </nav>
      <section className="box" aria-label="Runs">
        <RunsPart query={query} before={null} />
      </section>
    </>
  );
}
