/** A text that the answer is about: as it is meant to look, as it was written, and what is new in it. */
import { type ReactNode, useId, useMemo, useState } from 'react';
import type { GateDetail } from '../../data/answers.ts';
import { renderMarkdown } from '../../markdown/render-markdown.tsx';
import { whyNotRendered } from '../../markdown/why-not-rendered.ts';
import { plainText } from '../../parts/plain-text.ts';
import { Hash } from '../../parts/small-parts.tsx';
import { Changes } from './changes.tsx';

export type Artefact = GateDetail['artefacts'][number];

const views = ['Rendered', 'Source', 'Changes'] as const;

function Body({
  artefact,
  view,
}: {
  readonly artefact: Artefact;
  readonly view: (typeof views)[number];
}): ReactNode {
  const { text, previous, hash, path } = artefact;
  const rendered = useMemo(() => (text === null ? null : renderMarkdown(text)), [text]);
  if (hash === null) return <p className="note is-problem">The file {plainText(path)} is gone.</p>;
  if (text === null)
    return <p className="quiet">The text is too long to be shown here. Read it in {plainText(path)}.</p>;
  const whyNot = whyNotRendered(text);
  if (view === 'Source')
    return (
      <>
        {whyNot === null ? null : <p className="quiet">{whyNot}</p>}
        <pre className="source">{plainText(text)}</pre>
      </>
    );
  if (view === 'Changes' && previous !== null)
    return (
      <>
        <p className="quiet">Since the answer at iteration {previous.iteration}:</p>
        <Changes before={previous.text} after={text} />
      </>
    );
  return <div className="markdown">{rendered}</div>;
}

export function ArtefactPanel({ artefact }: { readonly artefact: Artefact }): ReactNode {
  const [chosen, setChosen] = useState<(typeof views)[number]>('Rendered');
  const title = useId();
  const { name, path, hash, text, previous } = artefact;
  const isRendered = text === null || whyNotRendered(text) === null;
  const offered = views.filter((one) =>
    one === 'Changes' ? previous !== null : one === 'Source' || isRendered,
  );
  const view = offered.includes(chosen) ? chosen : 'Source';
  return (
    <section className="box artefact" aria-labelledby={title}>
      <header>
        <h2 id={title}>{plainText(name)}</h2>
        <fieldset className="views" aria-label="How it is shown">
          {offered.map((one) => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => setChosen(one)}>
              {one}
            </button>
          ))}
        </fieldset>
      </header>
      <div className="body">
        <Body artefact={artefact} view={view} />
      </div>
      <footer className="quiet">
        <code>{plainText(path)}</code> {hash === null ? null : <Hash of={hash} />}
      </footer>
    </section>
  );
}
