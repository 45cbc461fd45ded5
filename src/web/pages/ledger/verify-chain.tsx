/** The button that computes the chain again, and what came of it. */
import { type ReactNode, useState } from 'react';
import { type ChainReport, checkLines } from '../../chain/check-chain.ts';
import type { Problem } from '../../data/answers.ts';
import { ApiError, toProblem } from '../../data/ask-api.ts';
import { Icon } from '../../parts/icon.tsx';
import { Hash, ProblemNote } from '../../parts/small-parts.tsx';

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking'; readonly checked: number }
  | { readonly kind: 'checked'; readonly report: ChainReport }
  | { readonly kind: 'failed'; readonly problem: Problem };

export function ReportNote({
  report: { checked, end, broken },
}: {
  readonly report: ChainReport;
}): ReactNode {
  if (broken === null && checked === 0)
    return (
      <p className="note" role="status">
        There is nothing to verify: the ledger has no entry of this subject.
      </p>
    );
  return broken === null ? (
    <p className="note is-done" role="status">
      <Icon name="done" />
      <span>
        <strong>
          Sound: {checked} {checked === 1 ? 'entry' : 'entries'} computed again in this browser.
        </strong>{' '}
        The last hash is <Hash of={end} />. Whether the end is signed, <code>gatewright ledger verify</code>{' '}
        says.
      </span>
    </p>
  ) : (
    <p className="note is-problem" role="alert">
      <Icon name="failed" />
      <span>
        <strong>
          Broken at entry {broken.seq} ({broken.kind}):
        </strong>{' '}
        {broken.explanation}. The {checked} {checked === 1 ? 'entry' : 'entries'} before it are sound. See
        what else there is with <code>gatewright ledger verify</code>.
      </span>
    </p>
  );
}

interface VerifyProps {
  readonly subject: string;
  readonly linesAddress: string;
  readonly onReport: (report: ChainReport) => void;
}

export function VerifyChain({ subject, linesAddress, onReport }: VerifyProps): ReactNode {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const verify = async (): Promise<void> => {
    setState({ kind: 'checking', checked: 0 });
    try {
      const response = await fetch(linesAddress);
      if (!response.ok || response.body === null) throw new ApiError(await response.json());
      const report = await checkLines(subject, response.body, (checked) =>
        setState({ kind: 'checking', checked }),
      );
      setState({ kind: 'checked', report });
      onReport(report);
    } catch (error) {
      setState({ kind: 'failed', problem: toProblem(error) });
    }
  };
  return (
    <>
      <p className="actions">
        <button
          type="button"
          className="is-first"
          disabled={state.kind === 'checking'}
          onClick={() => void verify()}
        >
          {state.kind === 'checking' ? `Computing… ${state.checked}` : 'Verify the chain'}
        </button>
        <a className="button" href={linesAddress} download={`${subject.replace(/[^\w.-]+/gu, '-')}.jsonl`}>
          Export as JSON Lines
        </a>
      </p>
      {state.kind === 'checked' ? <ReportNote report={state.report} /> : null}
      {state.kind === 'failed' ? <ProblemNote problem={state.problem} /> : null}
    </>
  );
}
