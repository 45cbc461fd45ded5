/** One question: what it is about, what was found, and the answer, bound to the texts that are on the screen. */
import { type ReactNode, useCallback, useState } from 'react';
import type { Gate, GateDetail, News, RunDetail } from '../../data/answers.ts';
import { useAnswer, useStore } from '../../data/use-answers.tsx';
import { Icon } from '../../parts/icon.tsx';
import { plainText } from '../../parts/plain-text.ts';
import { Loading, Money, ProblemNote, Standing, Text, When } from '../../parts/small-parts.tsx';
import { addressOfRun } from '../../routing/read-address.ts';
import { Link } from '../../routing/use-address.tsx';
import { AnswerForm } from './answer-form.tsx';
import { type Artefact, ArtefactPanel } from './artefact-panel.tsx';
import { Changes } from './changes.tsx';
import { nameGate } from './name-gate.ts';
import { UnsentWords } from './unsent-words.tsx';
import { wordChoice } from './word-choice.ts';

/** What the gate says beside the texts. */
function Question({ gate }: { readonly gate: Gate }): ReactNode {
  const { because, advice, questions, gaps, decision } = gate;
  if (because === null && advice === null && decision === null && questions.length + gaps.length === 0)
    return null;
  return (
    <section className="box question" aria-label="What to know">
      {decision === null ? null : (
        <p>
          <span className="quiet">The reviewer says</span> <strong>{plainText(decision)}</strong>
        </p>
      )}
      {[because, advice]
        .filter((one) => one !== null)
        .map((one) => (
          <p key={one} className="said">
            <Text>{one}</Text>
          </p>
        ))}
      {questions.length === 0 ? null : (
        <>
          <h3>Only a person can answer</h3>
          <ul>
            {questions.map((one) => (
              <li key={one}>
                <Text>{one}</Text>
              </li>
            ))}
          </ul>
        </>
      )}
      {gaps.length === 0 ? null : (
        <>
          <h3>Left to a person</h3>
          <ul>
            {gaps.map((one) => (
              <li key={one}>
                <Text>{one}</Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** What the run did since. */
function GoesOn({ run: id }: { readonly run: string }): ReactNode {
  const concern = useCallback(({ run }: News) => run === id, [id]);
  const { data } = useAnswer<RunDetail>(`/api/runs/${id}`, concern);
  if (data === null) return null;
  return (
    <p className="facts" aria-live="polite">
      <Standing of={data.run.standing} />
      <Link to={addressOfRun(id)} isRow>
        <Text>{data.run.name}</Text>
      </Link>
      <Text>{data.why}</Text>
    </p>
  );
}

function Given({ detail: { gate, answer, state } }: { readonly detail: GateDetail }): ReactNode {
  if (state === 'left' || answer === null)
    return (
      <section className="box">
        <p>The run went on without an answer: what was asked here is settled.</p>
        <GoesOn run={gate.run} />
      </section>
    );
  const given = gate.choices.find(({ name }) => name === answer.choice);
  return (
    <section className="box given" aria-label="The answer">
      <p>
        <Icon name="answered" /> <strong>{plainText(answer.by)}</strong> answered{' '}
        <strong>{given === undefined ? plainText(answer.choice) : wordChoice(given)}</strong>{' '}
        <When at={answer.at} />.
      </p>
      {answer.feedback === null ? null : (
        <blockquote>
          <Text>{answer.feedback}</Text>
        </blockquote>
      )}
      <GoesOn run={gate.run} />
    </section>
  );
}

interface OpenGateProps {
  readonly detail: GateDetail;
  readonly onAsked: () => void;
}

/** Texts that are other than when they were read. */
function listChanged(
  shown: readonly Artefact[],
  now: readonly Artefact[],
): (readonly [Artefact, Artefact])[] {
  return shown.flatMap((old) => {
    const young = now.find(({ name }) => name === old.name);
    return young === undefined || young.hash === old.hash ? [] : [[old, young] as const];
  });
}

function OpenGate({ detail, onAsked }: OpenGateProps): ReactNode {
  // What the person has read stays until they ask for what it has become.
  const [shown, setShown] = useState<readonly Artefact[]>(detail.artefacts);
  const changed = listChanged(shown, detail.artefacts);
  const isGone = detail.artefacts.some(({ hash }) => hash === null);
  return (
    <>
      <AnswerForm
        gate={detail.gate}
        shown={shown}
        whyNot={
          changed.length > 0
            ? 'The text has changed since you read it. Look at what is new first.'
            : isGone
              ? 'The text is gone, so no answer to it counts.'
              : null
        }
        onSent={onAsked}
        onRefused={onAsked}
      />
      {changed.map(([old, young]) => (
        <section key={old.name} className="box changed" role="alert">
          <p>
            <Icon name="blocked" /> <strong>The {plainText(old.name)} has changed since you read it.</strong>
          </p>
          <Changes before={old.text} after={young.text} />
          <p className="actions">
            <button type="button" className="is-first" onClick={() => setShown(detail.artefacts)}>
              I have read it: go on with the new text
            </button>
          </p>
        </section>
      ))}
      <Texts artefacts={shown} gate={detail.gate} />
    </>
  );
}

function Texts({
  artefacts,
  gate,
}: {
  readonly artefacts: readonly Artefact[];
  readonly gate: Gate;
}): ReactNode {
  return (
    <div className={artefacts.length > 1 ? 'texts are-two' : 'texts'}>
      <Question gate={gate} />
      {artefacts.map((one) => (
        <ArtefactPanel key={one.name} artefact={one} />
      ))}
    </div>
  );
}

export function GatePage({ id }: { readonly id: string }): ReactNode {
  const store = useStore();
  const path = `/api/gates/${id}`;
  const [run, setRun] = useState<string | null>(null);
  const concern = useCallback((news: News) => news.run === run, [run]);
  const { data: detail, problem } = useAnswer<GateDetail>(path, concern);
  if (detail !== null && detail.gate.run !== run) setRun(detail.gate.run);
  if (detail === null)
    return (
      <>
        <h1 tabIndex={-1}>Gate</h1>
        <Loading problem={problem} />
      </>
    );
  const { gate, state } = detail;
  const isDrafted = gate.kind === 'draft' || gate.kind === 'verdict';
  return (
    <>
      <h1 tabIndex={-1}>
        <Text>{gate.title}</Text> <span className="quiet">▸ {nameGate(gate.kind)}</span>
      </h1>
      <p className="facts under-title">
        {isDrafted ? <span>iteration {gate.iteration}</span> : null}
        <span>
          asked <When at={gate.askedAt} />
        </span>
        <Money costUsd={gate.costUsd} />
        <Link to={addressOfRun(gate.run)}>Run</Link>
        <code className="quiet">{gate.id}</code>
      </p>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {state === 'open' ? (
        <OpenGate detail={detail} onAsked={() => void store.renew(path).catch(() => undefined)} />
      ) : (
        <>
          <Given detail={detail} />
          <UnsentWords gate={gate.id} given={detail.answer?.feedback ?? null} />
          <Texts artefacts={detail.artefacts} gate={gate} />
        </>
      )}
    </>
  );
}
