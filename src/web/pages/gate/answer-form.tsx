/** The answers that the gate takes. A key or a click chooses one; it is sent by a second step, bound to what was shown. */
import { type ReactNode, type SubmitEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AnswerBody, Answered, Gate, Problem, Session } from '../../data/answers.ts';
import { postJson, toProblem } from '../../data/ask-api.ts';
import { keptWords } from '../../data/kept-words.ts';
import { useAnswer } from '../../data/use-answers.tsx';
import { useShortcuts } from '../../frame/shortcuts.ts';
import { plainText } from '../../parts/plain-text.ts';
import { Hash, ProblemNote } from '../../parts/small-parts.tsx';
import { focusHeading } from '../../routing/focus-heading.ts';
import type { Artefact } from './artefact-panel.tsx';
import { chooseKeys } from './choose-keys.ts';
import { wordChoice } from './word-choice.ts';

type Choice = Gate['choices'][number];

const never = (): boolean => false;

interface AnswerFormProps {
  readonly gate: Gate;
  readonly shown: readonly Artefact[];
  /** Why nothing can be sent now, in a sentence. */
  readonly whyNot: string | null;
  readonly onSent: (answered: Answered) => void;
  readonly onRefused: (problem: Problem) => void;
}

export function AnswerForm({ gate, shown, whyNot, onSent, onRefused }: AnswerFormProps): ReactNode {
  const session = useAnswer<Session>('/api/session', never).data;
  const [chosen, setChosen] = useState<Choice | null>(null);
  const [isAgainst, setAgainst] = useState(false);
  const [isSending, setSending] = useState(false);
  /** It is about one choice: another one begins without it. */
  const [refusal, setRefusal] = useState<{ readonly of: Choice; readonly problem: Problem } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const words = useRef<HTMLTextAreaElement>(null);
  const send = useRef<HTMLButtonElement>(null);
  const confirmation = useRef<HTMLInputElement>(null);
  const keys = useMemo(() => chooseKeys(gate.choices), [gate.choices]);
  const needsConfirmation =
    chosen?.name === 'approve' &&
    gate.kind === 'verdict' &&
    gate.decision !== null &&
    gate.decision !== 'APPROVED';

  useEffect(() => {
    (words.current ?? confirmation.current ?? send.current)?.focus();
    if (chosen !== null) form.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const choose = useCallback((choice: Choice): void => {
    setAgainst(false);
    // A choice made again is another object, so that the focus comes back to it from wherever it was.
    setChosen({ ...choice });
  }, []);
  const takeBack = useCallback((): void => {
    form.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
    setAgainst(false);
    setChosen(null);
  }, []);

  const shortcuts = useMemo(() => {
    const letters = Object.fromEntries(
      gate.choices.flatMap((choice) => {
        const key = keys.get(choice.name);
        return key === undefined ? [] : [[key, () => choose(choice)]];
      }),
    );
    return { ...letters, escape: takeBack };
  }, [gate.choices, keys, choose, takeBack]);
  useShortcuts(shortcuts);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (chosen === null || session === null || whyNot !== null || isSending) return;
    const feedback = words.current?.value.trim() ?? '';
    const body: AnswerBody = {
      choice: chosen.name,
      shown: Object.fromEntries(shown.map(({ name, hash }) => [name, hash ?? ''])),
      isAgainstVerdict: needsConfirmation && isAgainst,
      ...(feedback === '' ? {} : { feedback }),
    };
    setSending(true);
    setRefusal(null);
    try {
      const sending = postJson<Answered>(`/api/gates/${gate.id}/answer`, body, session.csrf);
      // It stays sent until the page knows the answer: a second one would be refused.
      onSent(await keptWords.send(gate.id, sending));
      focusHeading();
    } catch (error) {
      const refused = toProblem(error);
      setRefusal({ of: chosen, problem: refused });
      setSending(false);
      onRefused(refused);
    }
  };

  return (
    <form ref={form} className="answer" aria-label="Your answer" onSubmit={(event) => void submit(event)}>
      <div className="choices">
        {gate.choices.map((choice, index) => (
          <button
            key={choice.name}
            type="button"
            className={index === 0 ? 'is-first' : ''}
            aria-pressed={chosen?.name === choice.name}
            title={choice.after === null ? undefined : plainText(choice.after)}
            onClick={() => choose(choice)}
          >
            {wordChoice(choice)} <kbd>{keys.get(choice.name) ?? ''}</kbd>
          </button>
        ))}
        <span className="quiet bound">
          shown to you:{' '}
          {shown.map(({ name, hash }) => (hash === null ? null : <Hash key={name} of={hash} />))}
          {shown.length === 0 ? 'nothing but the question' : ''}
        </span>
      </div>
      {chosen === null ? null : (
        <div className="chosen">
          {chosen.takesFeedback ? (
            <label>
              What should be different?
              <textarea
                ref={words}
                key={chosen.name}
                rows={5}
                maxLength={20_000}
                defaultValue={keptWords.read(gate.id)}
                onChange={(event) => keptWords.keep(gate.id, event.currentTarget.value)}
                onKeyDown={(event) => {
                  // A key that ends the writing of one sign is not for us.
                  if (event.nativeEvent.isComposing) return;
                  // The choice is taken back by the next one: what was typed is not gone by one key.
                  if (event.key === 'Escape') event.currentTarget.blur();
                  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                    form.current?.requestSubmit();
                }}
              />
            </label>
          ) : null}
          {chosen.after === null ? null : <p className="quiet">Counts {plainText(chosen.after)}.</p>}
          {needsConfirmation ? (
            <label className="confirm">
              <input
                ref={confirmation}
                type="checkbox"
                checked={isAgainst}
                onChange={(event) => setAgainst(event.currentTarget.checked)}
              />
              I approve although the verdict is {plainText(gate.decision ?? '')}.
            </label>
          ) : null}
          <p className="actions">
            <button
              ref={send}
              type="submit"
              className="is-first"
              disabled={isSending || whyNot !== null || (needsConfirmation && !isAgainst)}
            >
              {isSending ? 'Sending…' : 'Send this answer'}{' '}
              <kbd>{chosen.takesFeedback ? 'Ctrl Enter' : 'Enter'}</kbd>
            </button>
            <button type="button" onClick={takeBack}>
              Take back <kbd>Esc</kbd>
            </button>
          </p>
        </div>
      )}
      {whyNot === null ? null : (
        <p className="quiet" role="status">
          {whyNot}
        </p>
      )}
      {refusal === null || refusal.of.name !== chosen?.name ? null : (
        <ProblemNote problem={refusal.problem} />
      )}
    </form>
  );
}
