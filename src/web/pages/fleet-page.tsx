/** The ten agents: what wakes each, what it did last, and when it is next. */
import type { ReactNode } from 'react';
import type { Costs, Fleet } from '../data/answers.ts';
import { useAnswer } from '../data/use-answers.tsx';
import { Icon } from '../parts/icon.tsx';
import { plainText } from '../parts/plain-text.ts';
import { Loading, Money, ProblemNote, Standing, Text, When } from '../parts/small-parts.tsx';
import { tellMoney } from '../parts/tell-time.ts';
import { addressOfRun } from '../routing/read-address.ts';
import { Link } from '../routing/use-address.tsx';

type Agent = Fleet['agents'][number];

function AgentRow({ agent }: { readonly agent: Agent }): ReactNode {
  const { name, purpose, isOn, asks, wakes, nextAt, lastRun } = agent;
  return (
    <tr className={isOn ? '' : 'is-off'}>
      <th scope="row">
        <span className="agent">{name}</span>
        {isOn ? null : <span className="tag">off</span>}
        <p className="quiet">{plainText(purpose)}</p>
      </th>
      <td data-label="Woken by">
        <details>
          <summary>
            <Text>{wakes[0] ?? 'nothing'}</Text>
            {wakes.length > 1 ? <span className="quiet"> and {wakes.length - 1} more</span> : null}
          </summary>
          <ul className="plain">
            {wakes.slice(1).map((one) => (
              <li key={one}>
                <Text>{one}</Text>
              </li>
            ))}
          </ul>
        </details>
        {asks.length === 0 ? null : <p className="quiet">asks {plainText(asks.join(', '))}</p>}
      </td>
      <td data-label="Last run">
        {lastRun === null ? (
          <span className="quiet">never</span>
        ) : (
          <>
            <Standing of={lastRun.standing} />{' '}
            <Link to={addressOfRun(lastRun.id)} isRow>
              <Text>{lastRun.title}</Text>
            </Link>
            <p className="quiet facts">
              <When at={lastRun.changedAt} />
              <Money {...lastRun} />
            </p>
          </>
        )}
      </td>
      <td data-label="Next">
        {nextAt === null ? <span className="quiet">no schedule</span> : <When at={nextAt} />}
      </td>
    </tr>
  );
}

function Budget(): ReactNode {
  const { data } = useAnswer<Costs>('/api/costs');
  if (data === null) return null;
  const { today, week, month, budget } = data;
  const spans = [
    ['Today', today],
    ['Seven days', week],
    ['Thirty days', month],
  ] as const;
  return (
    <section className="box figures" aria-label="Costs">
      {spans.map(([name, { usd, atMostUsd, hasUnpriced }]) => (
        <div key={name}>
          <span className="quiet">{name}</span>
          <Money costUsd={usd} costAtMostUsd={atMostUsd} hasUnpriced={hasUnpriced} />
        </div>
      ))}
      <div>
        <span className="quiet">Budget of today</span>
        <span className="number">
          {tellMoney(budget.spentTodayUsd)} of {tellMoney(budget.dayUsd)}
        </span>
        <meter
          min={0}
          max={budget.dayUsd}
          high={budget.dayUsd * 0.8}
          value={budget.spentTodayUsd}
          aria-label="How much of the budget of today is spent"
        />
      </div>
    </section>
  );
}

export function FleetPage(): ReactNode {
  const { data, problem } = useAnswer<Fleet>('/api/fleet');
  return (
    <>
      <h1 tabIndex={-1}>Fleet</h1>
      <Budget />
      {data === null ? <Loading problem={problem} /> : null}
      {data !== null && problem !== null ? <ProblemNote problem={problem} /> : null}
      {data === null ? null : (
        <section className="box" aria-label="Agents">
          <div className="scrolls">
            <table className="agents">
              <thead>
                <tr>
                  <th scope="col">Agent</th>
                  <th scope="col">Woken by</th>
                  <th scope="col">Last run</th>
                  <th scope="col">Next</th>
                </tr>
              </thead>
              <tbody>
                {data.agents.map((agent) => (
                  <AgentRow key={agent.name} agent={agent} />
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {data?.agents.every(({ lastRun }) => lastRun === null) === true ? (
        <p className="quiet">
          <Icon name="fleet" /> No agent has run yet. Mention <code>@{plainText(data.handle)}</code> in an
          issue, or open one with <code>gatewright forge issue create</code>.
        </p>
      ) : null}
    </>
  );
}
