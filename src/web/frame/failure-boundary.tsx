/** One part that fails leaves the rest of the page: the way to another page, and the way back. */
import { Component, type ReactNode } from 'react';
import { ProblemNote } from '../parts/small-parts.tsx';
import { describeFailure } from './describe-failure.ts';

interface FailureBoundaryProps {
  readonly children: ReactNode;
  /** Nothing is around it: it has to be a whole page. */
  readonly isAlone?: boolean;
}

interface FailureBoundaryState {
  readonly failure: unknown;
  readonly hasFailed: boolean;
}

export class FailureBoundary extends Component<FailureBoundaryProps, FailureBoundaryState> {
  override readonly state: FailureBoundaryState = { failure: null, hasFailed: false };

  static getDerivedStateFromError(failure: unknown): FailureBoundaryState {
    return { failure, hasFailed: true };
  }

  override render(): ReactNode {
    const { children, isAlone = false } = this.props;
    const { failure, hasFailed } = this.state;
    if (!hasFailed) return children;
    const said = (
      <>
        <h1 tabIndex={-1}>The page cannot be shown</h1>
        <ProblemNote problem={describeFailure(failure)} />
        <p className="actions">
          <button type="button" className="is-first" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </>
    );
    return isAlone ? <main className="alone">{said}</main> : said;
  }
}
