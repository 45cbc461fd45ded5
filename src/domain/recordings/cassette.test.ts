/** What a cassette may hold. It may come from anywhere: nothing in it may lead out of the place it is played in. */
import { describe, expect, it } from 'vitest';
import { GatewrightError } from '../../errors.ts';
import { type CassetteFile, parseCassette, requireRecording } from './cassette.ts';
import { momentKey } from './recording.ts';

const hash = 'a'.repeat(64);

const recording: CassetteFile = {
  format: 'gatewright-cassette/2',
  about: 'a test',
  models: { drafter: { name: 'claude-test', title: 'Claude' } },
  calls: [
    {
      role: 'drafter',
      call: 1,
      step: 2,
      request: { prompt: hash },
      reportedModel: 'claude-test',
      answer: { text: ['# Title', '', 'Text.'] },
      usage: { inputTokens: 5, cacheReadTokens: 3 },
    },
  ],
  run: {
    id: '01M7FCECDY23GJFJRHN5EKN0Y6',
    workflow: 'issue',
    slug: 'export-csv',
    title: 'Export',
    repository: 'local/project',
    status: 'done',
    strict: false,
    brief: { path: 'ideas/active/export-csv.md', text: ['# Export', ''], isOutside: false },
    steps: [{ step: 0, node: 'N0_load_brief' }],
    gates: [
      {
        step: 3,
        kind: 'draft',
        choice: 'send',
        by: 'person',
        seen: { draft: hash },
        texts: { draft: ['x'] },
      },
    ],
    forge: [
      { effect: 'ensure-label' },
      { effect: 'create-issue', failed: { code: 'forge-unavailable', message: 'gone' } },
      { effect: 'create-issue', number: 3, url: 'local://local/project/issues/3' },
    ],
    moments: [{ key: 'effect-receipted file/create-issue', at: '2026-11-15T10:35:58.811Z' }],
    artefacts: [
      {
        path: 'docs/lineage/done/3-x/001-brief.md',
        writtenAs: 'docs/lineage/active/x/001-brief.md',
        sha256: hash,
      },
    ],
    filed: { title: 'Export', labels: ['bug'], body: hash },
  },
};

function changed(place: string, value: unknown): string {
  const copy = structuredClone(recording) as unknown as Record<string, unknown>;
  const parts = place.split('.');
  const last = parts.pop() ?? '';
  let inner = copy;
  for (const part of parts) inner = inner[part] as Record<string, unknown>;
  inner[last] = value;
  return JSON.stringify(copy);
}

function problemsOf(text: string): readonly string[] {
  try {
    parseCassette(text, 'test');
  } catch (error) {
    if (error instanceof GatewrightError && error.code === 'cassette-invalid') return error.details;
    throw error;
  }
  return [];
}

describe('parseCassette', () => {
  it('reads a recording, with lines joined and what is left out filled in', () => {
    const cassette = requireRecording(parseCassette(JSON.stringify(recording), 'test'), 'test');
    expect(cassette.run.brief.text).toBe('# Export\n');
    expect(cassette.run.gates[0]?.texts).toEqual({ draft: 'x' });
    expect(cassette.calls[0]).toMatchObject({ answer: { text: '# Title\n\nText.' }, usage: { turns: 1 } });
  });

  it('reads answers alone, as in format 1, and tells that there is no run', () => {
    const { run: _, ...answers } = { ...recording, format: 'gatewright-cassette/1' };
    const cassette = parseCassette(JSON.stringify(answers), 'test');
    expect(cassette.run).toBeNull();
    expect(() => requireRecording(cassette, 'test')).toThrow('holds answers of models but no run');
  });

  const paths = [
    '../../escaped.md',
    '/tmp/escaped.md',
    'docs/../../escaped.md',
    '.git/hooks/post-commit',
    '.GIT/config',
    'a/.git./b',
    '.gitattributes',
    'a/.gitmodules',
    'a\\..\\b.md',
    'a//b.md',
    './a.md',
    '',
    'a\u0000b',
    'a\u001b[2Jb.md',
    'a\u202eb.md',
    `${'a/'.repeat(400)}b`,
    7,
    null,
    ['a'],
  ];
  it.each(['run.artefacts.0.path', 'run.artefacts.0.writtenAs', 'run.brief.path'])(
    '%s cannot lead outside',
    (place) => {
      for (const path of paths) expect(problemsOf(changed(place, path)), String(path)).not.toEqual([]);
      for (const path of ['a.md', '.github/ideas/a.md', 'ideas/active/größe 1.md'])
        expect(problemsOf(changed(place, path))).toEqual([]);
    },
  );

  it.each<[string, unknown]>([
    ['run.slug', '../../x'],
    ['run.slug', 'A'],
    ['run.id', '../../../../../../../../../x'],
    ['run.repository', '--upload-pack=x'],
    ['run.repository', '../x'],
    ['run.steps.0.node', '\u001b]0;x\u0007'],
    ['run.steps.0.step', -1],
    ['run.workflow', 'rm'],
    ['run.status', 'fine'],
    ['run.forge.0', { effect: 'create-issue', failed: { code: 'toString', message: '' } }],
    ['run.forge.0', { effect: 'write-file' }],
    ['run.forge.2.number', 0],
    ['run.forge.2.number', 1e12],
    ['run.moments.0.at', 'yesterday'],
    ['run.artefacts.0.sha256', 'abc'],
    ['run.gates.0.by', 'root'],
    ['run.gates.0.kind', 'merge'],
    ['run.gates.0.seen', { draft: 'abc' }],
    ['run.exec', 'rm -rf /'],
    ['run.brief.isOutside', true],
    ['run', undefined],
    ['format', 'gatewright-cassette/1'],
    ['format', 'gatewright-cassette/9'],
    ['calls.0.request', {}],
    ['calls.0.usage', { inputTokens: -1 }],
    ['calls', 'x'],
  ])('%s = %j is refused', (place, value) => {
    expect(problemsOf(changed(place, value))).not.toEqual([]);
  });

  it.each(['', '{', '[]', '"x"', 'null', '1'])('%j is no cassette', (text) => {
    expect(() => parseCassette(text, 'test')).toThrow('The cassette test');
  });
});

describe('momentKey', () => {
  it.each([
    ['effect-receipted', 'RUN/file/create-issue#3', 'effect-receipted file/create-issue'],
    ['model-answered', 'RUN/drafter#2', 'model-answered drafter#2'],
    ['gate-answered', 'G12345', 'gate-answered G12345'],
  ])('%s %s', (kind, key, expected) => {
    expect(momentKey('RUN', kind, key)).toBe(expected);
  });
});
