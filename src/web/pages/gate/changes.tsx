/** What is new in a text, line by line, with a sign and a colour. */
import { type ReactNode, useMemo } from 'react';
import { compareLines, foldSame } from '../../markdown/compare-lines.ts';
import { plainText } from '../../parts/plain-text.ts';

const signs = { same: ' ', out: '−', in: '+' } as const;
const words = { same: '', out: 'taken out: ', in: 'put in: ' } as const;

export function Changes({ before, after }: { readonly before: string; readonly after: string }): ReactNode {
  const lines = useMemo(
    () => foldSame(compareLines(before, after)).map((line, place) => ({ line, place })),
    [before, after],
  );
  if (before === after) return <p className="quiet">Nothing is different.</p>;
  return (
    <pre className="changes">
      {lines.map(({ line, place }) =>
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
    </pre>
  );
}
