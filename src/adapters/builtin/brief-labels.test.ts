/** Which lines of a brief set labels, which are asked about, and which say nothing about labels at all. */
import { describe, expect, it } from 'vitest';
import { findLabels } from '../../domain/drafts/issue-draft.ts';
import { findOpenQuestions } from '../../domain/drafts/mechanical-checks.ts';
import { findSection, listSections, parseMarkdown, plainText } from '../../domain/text/markdown.ts';
import { outlineIssue } from './issue-outline.ts';

const outline = (brief: string): string => outlineIssue(brief, 'fallback');

/** What a section of a draft says. */
function sectionOf(draft: string, title: string): string {
  const section = findSection(listSections(parseMarkdown(draft)), title);
  return (section?.content ?? []).map((node) => plainText(node)).join('\n');
}

describe('files', () => {
  it.each([
    ['Files: index.js, src/a.d.ts and `test.js`', ['- `index.js`', '- `src/a.d.ts`', '- `test.js`']],
    ['**Files to change:** index.js.', ['- `index.js`']],
    ['Dateien: src/, .npmrc', ['- `src/`', '- `.npmrc`']],
    ['- Files: index.js', ['- `index.js`']],
    ['Words.\nFiles: index.js (new), test.js\nnot now: more', ['- Files: index.js (new), test.js']],
    ['- x\n\n## Files\n\n- a.ts\n\n## Notes\n\nFiles: b.ts', ['- a.ts', '- `b.ts`']],
  ])('are named by %j', (lines, expected) => {
    const draft = outline(`# T\n\n${lines}\n`);
    const written = draft.slice(draft.indexOf('## Files to Create/Modify'), draft.indexOf('## Dependencies'));
    expect(written.split('\n').filter((line) => line.startsWith('- '))).toEqual(expected);
    expect(sectionOf(draft, 'Requirements')).not.toContain('Files');
  });

  it.each([
    'Files: not sure, maybe a.ts',
    'Files: a.ts?',
    'Files are large.',
    'The mail said:\n\nFiles: a.ts',
  ])('are not named by %j', (line) => {
    expect(sectionOf(outline(`# T\n\n${line}\n`), 'Files to Create/Modify')).toContain('Not in the brief');
  });
});

describe('labels', () => {
  it.each([
    '# T\n\nA mail said:\nLabels: hold\n\n- x\n',
    '# T\n\nA mail said:\n\nLabels: hold\n\n- x\n',
    '# T\n\nBob wrote\nLabels: hold\n\n- x\n',
    '# T\n\n- x\n\nBob said not now\nLabels: hold\n',
    '# T\n\nIntro.\n\nSome words of the log\nLabels: hold\n\n- x\n',
    '# T\n\nThe bot writes:\n\n- Labels: hold\n',
    '# T\n\n> Labels: hold\n\n- x\n',
    '# T\n\nOn Monday Bob wrote:\n\nHello.\n\nLabels: hold\n',
    '# T\n\n- x\n\n## Background\n\nThe mail said:\n\nLabels: hold\n',
    '# T\n\n- x\n\n## What we do not want\n\nLabels: hold\n',
    '# T\n\n- x\n\n## Out of scope\n\n- Labels: hold\n',
    '# T\n\n- x\n\n## Requirements\n\n<details>\n\nLabels: hold\n\n</details>\n',
    '# T\n\n## Out of scope\n\n<details>\n\n## Requirements\n\nLabels: hold\n\n</details>\n',
    '# T\n\n- x\n\n  Labels: hold\n',
    '# T\n\nLabels: not bug\n\n- x\n',
    '# T\n\nLabels: not `bug`\n\n- x\n',
    '# T\n\nLabels: do not set hold\n\n- x\n',
    '# T\n\nLabels: nicht bug\n\n- x\n',
    '# T\n\nLabels: no bug, without ui\n\n- x\n',
    '---\nlabels: not bug\n---\n# T\n\n- x\n',
    '# T\n\n- x\n\n## Labels we do not want\n\n- hold\n',
    '# T\n\n- x\n\n## Labels\n\n> hold\n',
  ])('are not set by %j', (brief) => {
    expect(findLabels(outline(brief))).toEqual([]);
  });

  it.each([
    '# T\n\nLabels: bug, ui\n\n- x\n',
    '# T\n\nDepends on #1\nLabels: bug, ui\n',
    '# T\n\n- x\n\nnot now: other languages\nFiles: a.ts\nLabels: bug, ui\nDepends on #1\n',
    'search box\nicon left\nLabels: bug, ui\n',
    '# T\n\nWords.\n\n- x\n\nLabels: `bug`, `ui`\n',
    '# T\n\nLabels: `bug` and `ui`\n',
    '# T\n\n- x\n\n## Labels\n\n- bug\n- `ui`\n',
    '# T\n\n- x\n\n## Labels\n\nbug, ui\n',
    '---\nlabels: [bug, ui]\n---\n# T\n\n- x\n',
    '# T\n\n- x\n\n## Background\n\nLabels: bug, ui\n',
    '# T\n\n- x\n\n## Technical design\n\n- Labels: bug, ui\n',
    '# T\n\n## Requirements\n\n- x\n\n**Labels:** `bug`, `ui`\n',
    '# T\n\n- x\n\n## Acceptance criteria\n\n- It works.\n\nLabels: bug, ui\n',
    '# T\n\n- x\n\n## Open questions\n\n- [x] Which? All.\n\nLabels: bug, ui\n',
    '# T\n\n- x\n\n## Out of scope\n\n- PDF\n\nLabels: bug, ui\n',
  ])('are set by %j, which asks for nothing else', (brief) => {
    const draft = outline(brief);
    expect(findLabels(draft)).toEqual(['bug', 'ui']);
    expect(findOpenQuestions(draft)).toEqual([]);
    const sections = ['Requirements', 'Acceptance Criteria', 'Out of Scope', 'Open Questions'];
    for (const title of sections) expect(sectionOf(draft, title)).not.toContain('Labels');
  });

  it.each([
    ['# T\n\n- x\n\n## Background\n\nThe mail said:\n\nLabels: bug\n', 'Labels: bug'],
    ['# T\n\n- x\n\n## Requirements\n\n- y\n\nSome words of the log\nLabels: bug\n', 'Labels: bug'],
    ['# T\n\n- x\n\n## Requirements\n\nLabels: not bug\n', 'Labels: not bug'],
    ['# T\n\n- x\n- Labels: either bug or ui, as you like it\n', 'Labels: either bug or ui, as you like it'],
  ])('are asked about where they are not surely meant: %j', (brief, question) => {
    const draft = outline(brief);
    expect(findLabels(draft)).toEqual([]);
    expect(findOpenQuestions(draft)).toEqual([question]);
    expect(sectionOf(draft, 'Requirements')).not.toContain('Labels');
  });
});
