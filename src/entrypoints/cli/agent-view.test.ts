/** What `agents` and `labels` show is all of their tables, and fits a screen. */
import { describe, expect, it } from 'vitest';
import { agentNames } from '../../domain/agent-names.ts';
import { agentTable } from '../../domain/agent-table.ts';
import { labelTable } from '../../domain/labels.ts';
import { agentOverview, agentPage, effectLines, helpParts, modelText, triggerLines } from './agent-view.ts';
import { labelRows } from './label-view.ts';

const plain = (text: string) => text.replace(/\s+/gu, ' ');

describe('the overview of the agents', () => {
  const blocks = agentOverview().split('\n\n');

  it.each(agentNames.map((name, index) => [name, index] as const))('tells of %s', (name, index) => {
    const block = plain(blocks[index] ?? '');
    const entry = agentTable[name];
    expect(block.startsWith(name)).toBe(true);
    for (const part of [entry.purpose, modelText(entry), ...triggerLines(entry), ...effectLines(entry)])
      expect(block).toContain(part);
  });

  it('fits a screen', () => {
    expect(blocks).toHaveLength(agentNames.length);
    for (const line of agentOverview().split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
  });
});

describe('the page of an agent', () => {
  it.each(agentNames)('%s: has every part, in whole sentences', (name) => {
    const page = agentPage(name);
    const entry = agentTable[name];
    for (const [heading, text] of helpParts(entry)) {
      expect(plain(page)).toContain(`${heading} ${text}`);
      expect(text).toMatch(/^[A-Z].*\.$/u);
    }
    for (const line of [...triggerLines(entry), ...effectLines(entry)]) expect(page).toContain(`  - ${line}`);
    for (const line of page.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  it('tells when, how long and for whom', () => {
    expect(agentPage('implementer')).toContain(
      '25 turns to plan (read-only, a stronger model), 50 to implement',
    );
    expect(agentPage('implementer')).toContain(
      '(only from people with write permission and from listed programs)',
    );
    expect(agentPage('reviewer')).not.toContain('only from people');
    expect(agentPage('stale-gardener')).toContain('  - every Monday at 09:00 UTC');
    expect(agentPage('auto-merge')).toContain('  - label removed, if it is a pull request');
    expect(agentPage('pr-size-guardian')).toContain('none; 3 turns');
  });
});

describe('the table of labels', () => {
  it('has a row for each, with who may set it', () => {
    const [head, ...rows] = labelRows();
    expect(rows.map(([name]) => name)).toEqual(labelTable.map(({ name }) => name));
    expect(rows.every((row) => row.length === head?.length && row.every((cell) => cell !== ''))).toBe(true);
    expect(rows.find(([name]) => name === 'hold')).toEqual([
      'hold',
      'state',
      'anybody who may label',
      'auto-merge, stale-gardener, people',
      'Not begun and not merged until this is removed',
    ]);
  });
});
