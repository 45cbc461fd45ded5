/** What is new in a text, line by line, with a sign and a colour. */
import { type ReactNode, useMemo } from 'react';
import { compareLines, foldSame } from '../../markdown/compare-lines.ts';
import { plainText } from '../../parts/plain-text.ts';

const signs = { same: ' ', out: '−', in: '+' } as const;
const words = { same: '', out: 'taken out: ', in: 'put in: ' } as const;

/** More would take a browser seconds to lay out. */
const mostLines = 2_000;

interface ChangesProps {
  /** Null where the text is gone or too long to be shown. */
  readonly before: string | null;
  readonly after: string | null;
}

export function Changes({ before, after }: ChangesProps): ReactNode {
  const lines = useMemo(
    () =>
      before === null || after === null
        ? []
        : foldSame(compareLines(before, after)).map((line, place) => ({ line, place })),
    [before, after],
  );
  if (before === null || after === null)
    return (
      <p className="quiet">The texts cannot be compared here: one of them is gone or too long to be shown.</p>
    );
  if (before === after) return <p className="quiet">Nothing is different.</p>;
  const leftOut = lines.length - mostLines;
  return (
    <pre className="changes">
      {lines.slice(0, mostLines).map(({ line, place }) =>
        line === null ? (
          <div key={place} className="is-left-out">
            ⋯
          </div>
        ) : (
          <div key={place} className={`is-${line.change}`}>
            <span aria-hidden="true">{signs[line.change]} </span>
            <span className="heard">{words[line.change]}</span>
            {plainText(line.text)}
          </div>
        ),
      )}
      {leftOut > 0 ? (
        <div className="is-left-out">
          ⋯ {leftOut.toLocaleString('en')} more lines are left out here. Read the text as it was written.
        </div>
      ) : null}
    </pre>
  );
}
