import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ChainReport } from '../../chain/check-chain.ts';
import { ReportNote } from './verify-chain.tsx';

const end = 'a'.repeat(64);
const show = (report: ChainReport): string => renderToStaticMarkup(createElement(ReportNote, { report }));

it('proves nothing where there is nothing', () => {
  const html = show({ checked: 0, end, broken: null });
  expect(html).toContain('There is nothing to verify');
  expect(html).not.toMatch(/Sound|is-done/u);
});

it('says how many entries are sound', () => {
  expect(show({ checked: 1, end, broken: null })).toContain('Sound: 1 entry ');
  expect(show({ checked: 2, end, broken: null })).toContain('Sound: 2 entries ');
});

it('says where the chain is broken, also at the first entry', () => {
  const broken = { seq: 1, kind: 'run-started', explanation: 'its content is not what its hash is of' };
  expect(show({ checked: 0, end, broken })).toContain('Broken at entry 1 (run-started):');
});
