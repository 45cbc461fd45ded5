/** One run: why it is where it is, what would move it, and what happened, step by step. */
import { type ReactNode, useCallback, useState } from 'react';
import type { News, RunDetail, Timeline } from '../data/answers.ts';
import { useAnswer, useGrowingAnswer } from '../data/use-answers.tsx';
import { plainText, safeAddress } from '../parts/plain-text.ts';
import { Command, Hash, Loading, Money, ProblemNote, Standing, Text, When } from '../parts/small-parts.tsx';
import { tellDuration } from '../parts/tell-time.ts';
import { addressOfGate, addressOfLedger } from '../routing/read-address.ts';
import { Link } from '../routing/use-address.tsx';
import { toneOfEntry } from './tone-of-entry.ts';

type TimelineEntry = Timeline['entries'][number];

/** How long it was until the next entry. */
function spanOf({ at }: TimelineEntry, next: TimelineEntry | undefined): string {
  return next === undefined ? '' : tellDuration(Date.parse(next.at) - Date.parse(at));
}

function TimelineRow({
  entry,
  next,
}: {
  readonly entry: TimelineEntry;
  readonly next: TimelineEntry | undefined;
}): ReactNode {
  const { at, kind, actor, what, step, seq, hash, subject } = entry;
  return (
    <tr id={`e${seq}`} className={toneOfEntry(kind, what)}>
      <td className="number">
        <time dateTime={at} title={new Date(at).toLocaleString()}>
          {new Date(at).toLocaleTimeString(undefined, { hour12: false })}
        </time>
      </td>
      <td>
        <code>{kind}</code>
        {step === null ? null : <span className="tag">{plainText(step)}</span>}
      </td>
      <td className="said">
        <Text>{what}</Text> <span className="quiet">{plainText(actor)}</span>
      </td>
      <td className="number">{spanOf(entry, next)}</td>
      <td>
        <Link to={`${addressOfLedger(subject)}&entry=${seq}`}>
          <Hash of={hash} />
        </Link>
      </td>
    </tr>
  );
}

interface PartProps {
  readonly id: string;
  readonly after: number;
  readonly concern: (news: News) => boolean;
}

/** One page of what happened. A run that goes on grows at the end of the last one. */
function TimelinePart({ id, after, concern }: PartProps): ReactNode {
  const { data, problem } = useGrowingAnswer<Timeline>(
    `/api/runs/${id}/timeline?after=${after}&limit=200`,
    concern,
  );
  const [isMore, setMore] = useState(false);
  if (data === null)
    return (
      <tr>
        <td colSpan={5}>
          <Loading problem={problem} />
        </td>
      </tr>
    );
  return (
    <>
      {data.entries.map((entry, index) => (
        <TimelineRow key={entry.place} entry={entry} next={data.entries[index + 1]} />
      ))}
      {data.next === null ? null : isMore ? (
        <TimelinePart id={id} after={data.next} concern={concern} />
      ) : (
        <tr>
          <td colSpan={5}>
            <button type="button" className="more" onClick={() => setMore(true)}>
              What came after that
            </button>
          </td>
        </tr>
      )}
    </>
  );
}

function Why({ detail: { run, why, conditions, gates } }: { readonly detail: RunDetail }): ReactNode {
  return (
    <section className={`box why is-${run.standing}`} aria-labelledby="why">
      <h2 id="why">Why is it here?</h2>
      <p className="said">
        <Text>{why}</Text>
      </p>
      {gates.map((gate) => (
        <p key={gate}>
          <Link to={addressOfGate(gate)} className="button is-first" isRow>
            Answer {gate}
          </Link>
        </p>
      ))}
      {conditions.length === 0 ? null : (
        <ul className="conditions">
          {conditions.map(({ what, who, command, how = '', advice = '' }) => (
            <li key={`${what} ${command}`}>
              <Text>{what}</Text> <span className="tag">{plainText(who)}</span>
              {command === '' ? null : <Command text={command} />}
              {[how, advice]
                .filter((one) => one !== '')
                .map((one) => (
                  <p className="quiet" key={one}>
                    <Text>{one}</Text>
                  </p>
                ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Result({ detail: { run } }: { readonly detail: RunDetail }): ReactNode {
  if (run.result === null) return null;
  const { number, url, path } = run.result;
  const address = safeAddress(url);
  const name = number > 0 ? `#${number}` : (path ?? url);
  return (
    <span>
      became {address === null ? <code>{plainText(name)}</code> : <a href={address}>{plainText(name)}</a>}
    </span>
  );
}

export function RunPage({ id }: { readonly id: string }): ReactNode {
  const concern = useCallback(({ run }: News) => run === id, [id]);
  const { data: detail, problem } = useAnswer<RunDetail>(`/api/runs/${id}`, concern);
  if (detail === null)
    return (
      <>
        <h1 tabIndex={-1}>Run</h1>
        <Loading problem={problem} />
      </>
    );
  const { run } = detail;
  return (
    <>
      <h1 tabIndex={-1}>
        <Text>{run.name}</Text>
      </h1>
      <p className="facts under-title">
        <Standing of={run.standing} />
        <span>{run.agent ?? `${run.workflow} workflow`}</span>
        <Result detail={detail} />
        <span>
          began <When at={run.startedAt} />
        </span>
        <Money {...run} />
        <Link to={addressOfLedger(run.subject)}>Ledger</Link>
        <code className="quiet">{run.id}</code>
      </p>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <Why detail={detail} />
      <section className="box" aria-labelledby="timeline">
        <h2 id="timeline">What happened</h2>
        <div className="scrolls">
          <table className="timeline">
            <thead>
              <tr>
                <th scope="col">At</th>
                <th scope="col">Entry</th>
                <th scope="col">What</th>
                <th scope="col" className="number">
                  Then
                </th>
                <th scope="col">Hash</th>
              </tr>
            </thead>
            <tbody>
              <TimelinePart id={id} after={0} concern={concern} />
            </tbody>
          </table>
        </div>
      </section>
    </>
  );
}
