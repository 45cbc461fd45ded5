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

function isJson(text: string): boolean {
  if (!/^\s*[{[]/u.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** In other texts, `__init__` and a backslash mean themselves. A stored text is in no file. */
function isMarkdown({ name, path, text }: Artefact): boolean {
  const [, extension = 'md'] = /\.(\w+)$/u.exec(path === '' ? name : path) ?? [];
  return /^(?:md|markdown)$/iu.test(extension) && (text === null || !isJson(text));
}

function Body({
  artefact,
  view,
}: {
  readonly artefact: Artefact;
  readonly view: (typeof views)[number];
}): ReactNode {
  const { name, text, previous, hash, path } = artefact;
  const rendered = useMemo(
    () => (text === null || view !== 'Rendered' ? null : renderMarkdown(text)),
    [text, view],
  );
  const what = path === '' ? `The text ${plainText(name)}` : `The file ${plainText(path)}`;
  if (hash === null) return <p className="note is-problem">{what} is gone.</p>;
  if (text === null)
    return path === '' ? (
      <p className="quiet">{what} is too long to be shown here.</p>
    ) : (
      <p className="quiet">The text is too long to be shown here. Read it in {plainText(path)}.</p>
    );
  const whyNot = isMarkdown(artefact) ? whyNotRendered(text) : null;
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
  const { name, path, hash, previous } = artefact;
  const isRendered = useMemo(
    () => isMarkdown(artefact) && (artefact.text === null || whyNotRendered(artefact.text) === null),
    [artefact],
  );
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
        <code>{plainText(path === '' ? name : path)}</code> {hash === null ? null : <Hash of={hash} />}
      </footer>
    </section>
  );
}
