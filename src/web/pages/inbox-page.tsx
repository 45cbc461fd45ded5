/** What waits for a person, then what is wrong, then everything else. */
import type { ReactNode } from 'react';
import type { Gate, Inbox } from '../data/answers.ts';
import { useAnswer } from '../data/use-answers.tsx';
import { Icon } from '../parts/icon.tsx';
import { Command, Empty, Loading, Money, ProblemNote, Standing, Text, When } from '../parts/small-parts.tsx';
import { addressOfGate, addressOfRun } from '../routing/read-address.ts';
import { Link } from '../routing/use-address.tsx';
import { nameGate } from './gate/name-gate.ts';

function Section({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="box">
      <h2>
        {title} <span className="count">{count}</span>
      </h2>
      <ul className="rows">{children}</ul>
    </section>
  );
}

function WaitingGate({ gate }: { readonly gate: Gate }): ReactNode {
  return (
    <li className="row">
      <span className="standing is-waiting">
        <Icon name="ask" />
        {nameGate(gate.kind)}
      </span>
      <div className="what">
        <Link to={addressOfGate(gate.id)} isRow>
          <Text>{gate.title}</Text>
        </Link>
        {gate.because === null ? null : (
          <p className="quiet">
            <Text>{gate.because}</Text>
          </p>
        )}
      </div>
      <span className="facts">
        {gate.kind === 'draft' || gate.kind === 'verdict' ? <span>iteration {gate.iteration}</span> : null}
        <When at={gate.askedAt} />
        <Money costUsd={gate.costUsd} />
      </span>
    </li>
  );
}

/** Something to copy, in words or as a command. */
function Advice({ text }: { readonly text: string }): ReactNode {
  if (text === '') return null;
  return text.startsWith('gatewright ') ? (
    <Command text={text} />
  ) : (
    <p className="quiet">
      <Text>{text}</Text>
    </p>
  );
}

function Lists({ inbox }: { readonly inbox: Inbox }): ReactNode {
  const { waiting, onForge, stopped, running } = inbox;
  return (
    <>
      {waiting.length === 0 ? null : (
        <Section title="Waiting for you" count={waiting.length}>
          {waiting.map((gate) => (
            <WaitingGate key={gate.id} gate={gate} />
          ))}
        </Section>
      )}
      {onForge.length === 0 ? null : (
        <Section title="Waiting on the forge" count={onForge.length}>
          {onForge.map(({ subject, what, since, why, how, command }) => (
            <li className="row" key={`${subject} ${what}`}>
              <span className="standing is-waiting">
                <Icon name="waiting" />
                {subject.slice(subject.search(/[#:@~]/u))}
              </span>
              <div className="what">
                <Text>{what}</Text>
                <p className="quiet">
                  <Text>{why}</Text>
                </p>
                {command === '' ? <Advice text={how} /> : <Command text={command} />}
              </div>
              <span className="facts">
                <When at={since} />
              </span>
            </li>
          ))}
        </Section>
      )}
      {stopped.length === 0 ? null : (
        <Section title="Stopped" count={stopped.length}>
          {stopped.map(({ run, why, isHeld, resume }) => (
            <li className="row" key={run.id}>
              <Standing of={run.standing} />
              <div className="what">
                <Link to={addressOfRun(run.id)} isRow>
                  <Text>{run.name}</Text>
                </Link>
                <p>
                  <Text>{why}</Text>
                </p>
                {isHeld ? <p className="quiet">The label "hold" has to be taken off first.</p> : null}
                <Advice text={resume} />
              </div>
              <span className="facts">
                <When at={run.changedAt} />
                <Money {...run} />
              </span>
            </li>
          ))}
        </Section>
      )}
      {running.length === 0 ? null : (
        <Section title="At work" count={running.length}>
          {running.map((run) => (
            <li className="row" key={run.id}>
              <Standing of={run.standing} />
              <div className="what">
                <Link to={addressOfRun(run.id)} isRow>
                  <Text>{run.name}</Text>
                </Link>
                {run.node === null ? null : (
                  <p className="quiet">
                    <Text>{run.node}</Text>
                  </p>
                )}
              </div>
              <span className="facts">
                <When at={run.startedAt} />
                <Money {...run} />
              </span>
            </li>
          ))}
        </Section>
      )}
    </>
  );
}

function Today({ inbox: { today, dismissed } }: { readonly inbox: Inbox }): ReactNode {
  const { filed, designs, agents, costUsd, costAtMostUsd, hasUnpriced } = today;
  const parts = [
    [filed, filed === 1 ? 'issue filed' : 'issues filed'],
    [designs, designs === 1 ? 'design approved' : 'designs approved'],
    [agents, agents === 1 ? 'run of an agent done' : 'runs of agents done'],
    [dismissed, dismissed === 1 ? 'run put aside' : 'runs put aside'],
  ] as const;
  return (
    <p className="today">
      <strong>Today</strong>
      {parts
        .filter(([count]) => count > 0)
        .map(([count, words]) => (
          <span key={words}>
            {count} {words}
          </span>
        ))}
      <span>
        <Money costUsd={costUsd} costAtMostUsd={costAtMostUsd} hasUnpriced={hasUnpriced} /> spent
      </span>
    </p>
  );
}

export function InboxPage(): ReactNode {
  const { data: inbox, problem } = useAnswer<Inbox>('/api/inbox');
  const isEmpty =
    inbox !== null &&
    inbox.waiting.length + inbox.onForge.length + inbox.stopped.length + inbox.running.length === 0;
  return (
    <>
      <h1 tabIndex={-1}>Inbox</h1>
      {inbox === null ? <Loading problem={problem} /> : null}
      {inbox !== null && problem !== null ? <ProblemNote problem={problem} /> : null}
      {inbox === null ? null : <Lists inbox={inbox} />}
      {isEmpty ? (
        <Empty command="gatewright issue --brief ideas/active/my-idea.md">
          Nothing waits for you, and nothing has stopped. An idea in a Markdown file becomes an issue with:
        </Empty>
      ) : null}
      {inbox === null ? null : <Today inbox={inbox} />}
    </>
  );
}
