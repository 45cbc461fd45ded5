/** What stands on every page: how a run stands, when, for how much, and which command. */
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import type { Problem, Run } from '../data/answers.ts';
import { Icon } from './icon.tsx';
import { plainText } from './plain-text.ts';
import { tellAge, tellMoney } from './tell-time.ts';

/** Words that are told apart from ours: they may read from right to left. */
export function Text({ children }: { readonly children: string }): ReactNode {
  return <bdi>{plainText(children)}</bdi>;
}

export function Standing({ of }: { readonly of: Run['standing'] }): ReactNode {
  return (
    <span className={`standing is-${of}`}>
      <Icon name={of} />
      {of}
    </span>
  );
}

const listeners = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | null = null;

/** One clock for all: ages change together and seldom. */
function watchClock(onChange: () => void): () => void {
  listeners.add(onChange);
  timer ??= setInterval(() => {
    ticks += 1;
    for (const listener of listeners) listener();
  }, 15_000);
  return () => {
    listeners.delete(onChange);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

export function When({ at }: { readonly at: string }): ReactNode {
  useSyncExternalStore(watchClock, () => ticks);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {tellAge(at, Date.now())}
    </time>
  );
}

interface Cost {
  readonly costUsd: number;
  readonly costAtMostUsd?: number;
  readonly hasUnpriced?: boolean;
}

export function Money({ costUsd, costAtMostUsd = 0, hasUnpriced = false }: Cost): ReactNode {
  const notes = [
    ...(costAtMostUsd > 0
      ? [`${tellMoney(costAtMostUsd)} of it is only the most that it can have been`]
      : []),
    ...(hasUnpriced ? ['a model without a known price took part: its cost is in no number'] : []),
  ];
  return (
    <span className="number" title={notes.join('; ') || undefined}>
      {costAtMostUsd > 0 ? '≤ ' : ''}
      {tellMoney(costUsd)}
      {hasUnpriced ? ' + ?' : ''}
    </span>
  );
}

export function Command({ text }: { readonly text: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  // What is copied is what is seen: a terminal would run what hides in it.
  const shown = plainText(text).replace(/\s*\n\s*/gu, ' ');
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(shown);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <span className="command">
      <code>{shown}</code>
      <button type="button" aria-label={`Copy: ${shown}`} onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span className="heard" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  );
}

export function Hash({ of }: { readonly of: string }): ReactNode {
  return (
    <code className="hash" title={of}>
      {of.slice(0, 8)}
    </code>
  );
}

/** What went wrong, and what helps. */
export function ProblemNote({ problem }: { readonly problem: Problem }): ReactNode {
  return (
    <div className="note is-problem" role="alert">
      <Icon name="blocked" />
      <div>
        <strong>{plainText(problem.detail)}</strong>
        <p>{plainText(problem.hint)}</p>
        {problem.details?.map((one) => (
          <p key={one}>{plainText(one)}</p>
        ))}
      </div>
    </div>
  );
}

/** Instead of an empty page: what would fill it. */
export function Empty({
  children,
  command,
}: {
  readonly children: ReactNode;
  readonly command?: string;
}): ReactNode {
  return (
    <div className="empty">
      <p>{children}</p>
      {command === undefined ? null : <Command text={command} />}
    </div>
  );
}

interface LoadingProps {
  readonly problem: Problem | null;
}

/** While there is nothing to show yet. */
export function Loading({ problem }: LoadingProps): ReactNode {
  return problem === null ? (
    <p className="loading" role="status">
      Loading…
    </p>
  ) : (
    <ProblemNote problem={problem} />
  );
}
