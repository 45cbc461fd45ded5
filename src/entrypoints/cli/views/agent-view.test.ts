/** What `agents` and `labels` show is all of their tables, and fits a screen. */
import { describe, expect, it } from 'vitest';
import { manifestOf } from '../../../agents/agents.ts';
import { usualAgentModels } from '../../../domain/fleet/agent-models.ts';
import { agentNames } from '../../../domain/fleet/agent-names.ts';
import { labelTable } from '../../../domain/forge/label-table.ts';
import { agentOverview, agentPage, effectLines, helpParts, modelText, triggerLines } from './agent-view.ts';
import { labelRows } from './label-view.ts';
import { wrapText } from './wrap-line.ts';

const plain = (text: string) => text.replace(/\s+/gu, ' ');

describe('the overview of the agents', () => {
  const blocks = agentOverview(usualAgentModels).split('\n\n');

  it.each(agentNames.map((name, index) => [name, index] as const))('tells of %s', (name, index) => {
    const block = plain(blocks[index] ?? '');
    const entry = manifestOf(name);
    expect(block.startsWith(name)).toBe(true);
    for (const part of [
      entry.purpose,
      modelText(entry, usualAgentModels),
      ...triggerLines(entry),
      ...effectLines(entry),
    ])
      expect(block).toContain(part);
  });

  it('fits a screen', () => {
    expect(blocks).toHaveLength(agentNames.length);
    for (const line of wrapText(agentOverview(usualAgentModels), 80).split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(80);
  });
});

describe('the page of an agent', () => {
  it.each(agentNames)('%s: has every part, in whole sentences', (name) => {
    const page = agentPage(name, usualAgentModels);
    const entry = manifestOf(name);
    for (const [heading, text] of helpParts(entry)) {
      expect(plain(page)).toContain(`${heading} ${text}`);
      expect(text).toMatch(/^[A-Z].*\.$/u);
    }
    for (const line of [...triggerLines(entry), ...effectLines(entry)]) expect(page).toContain(`  - ${line}`);
    for (const line of wrapText(page, 80).split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('tells when, how long and for whom', () => {
    expect(plain(agentPage('implementer', usualAgentModels))).toContain(
      'planner claude:opus, 25 turns (read-only); coder claude:sonnet, 50 turns to implement',
    );
    expect(agentPage('implementer', usualAgentModels)).toContain(
      '(only by people with write permission and by listed programs)',
    );
    expect(agentPage('reviewer', usualAgentModels)).not.toContain('only by people');
    expect(agentPage('stale-gardener', usualAgentModels)).toContain('  - every Monday at 09:00 UTC');
    expect(agentPage('auto-merge', usualAgentModels)).toContain('  - label removed, if it is a pull request');
    expect(agentPage('pr-size-guardian', usualAgentModels)).toContain('none; 3 turns');
  });
});

describe('the model of an agent', () => {
  const models = {
    coder: 'cassette:/tmp/a.json',
    planner: 'claude:fable',
    reviewer: 'google:gemini-3-pro',
    writer: 'claude:haiku',
  };
  it.each([
    ['implementer', 'planner claude:fable, 25 turns (read-only); coder cassette:/tmp/a.json, 50 turns'],
    ['reviewer', 'code reviewer google:gemini-3-pro, one call'],
    ['ci-doctor', 'writer claude:haiku, 10 turns'],
    ['doc-drift', 'coder cassette:/tmp/a.json, 10 turns'],
    ['auto-merge', 'none'],
  ] as const)('%s: the one that would really be asked', (name, text) => {
    expect(modelText(manifestOf(name), models)).toContain(text);
    expect(plain(agentOverview(models))).toContain(text);
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
      'every account that may set labels',
      'implementer, auto-merge, stale-gardener, people',
      'Not begun and not merged until this is removed',
    ]);
  });
});
