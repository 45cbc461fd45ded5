import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { type Artefact, ArtefactPanel } from './artefact-panel.tsx';

const hash = 'a'.repeat(64);
const show = (one: Partial<Artefact>): string =>
  renderToStaticMarkup(
    createElement(ArtefactPanel, {
      artefact: {
        name: 'draft',
        path: 'docs/002-draft.md',
        askedHash: hash,
        hash,
        text: '# A',
        previous: null,
        ...one,
      },
    }),
  );

it('shows Markdown as it is meant to look', () => {
  const html = show({});
  expect(html).toContain('<h3>A</h3>');
  expect(html).toContain('>Rendered</button>');
});

describe('what is no Markdown', () => {
  const text = '{"file": "src/__init__.py", "pattern": "\\\\d*"}';

  it.each([
    ['by its name', { name: 'issue-state.json', path: '', text }],
    ['by the name of its file', { name: 'state', path: 'docs/state.json', text }],
    ['by its name, whatever it holds', { name: 'notes.txt', path: '', text: '__init__' }],
    ['by what it holds', { name: 'plan', path: '', text }],
  ])('is shown as it was written: %s', (_, one) => {
    const html = show(one);
    expect(html).toContain(`<pre class="source">${one.text.replaceAll('"', '&quot;')}</pre>`);
    expect(html).not.toContain('>Rendered</button>');
  });
});

describe('a text that is in no file', () => {
  const stored = { name: 'plan.md', path: '' };

  it.each([
    ['has its name below it', {}, '<code>plan.md</code>'],
    ['says what is gone', { hash: null, text: null }, 'The text plan.md is gone.'],
    ['says what is too long', { text: null }, 'The text plan.md is too long to be shown here.</p>'],
  ])('%s', (_, one, words) => {
    expect(show({ ...stored, ...one })).toContain(words);
  });
});

it('says where a text is that is too long, or which file is gone', () => {
  expect(show({ text: null })).toContain('Read it in docs/002-draft.md.');
  expect(show({ text: null, hash: null })).toContain('The file docs/002-draft.md is gone.');
});
