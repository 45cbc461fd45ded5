/** One case for every kind of entry that names a text, so that none is lost without being noticed. */
import { describe, expect, it } from 'vitest';
import { sha256 } from './hash.ts';
import { textsOfEntry } from './texts-of-entry.ts';

const hashes = ['a', 'b', 'c', 'd', 'e'].map((text) => sha256(text));
const [a = '', b = '', c = '', d = '', e = ''] = hashes;

const effect = (kind: string, more: object) => ({ dryRun: false, effect: { kind, ...more } });

describe('textsOfEntry', () => {
  it.each<[string, unknown, string[]]>([
    ['run-started', { request: { workflow: 'issue', briefHash: a } }, [a]],
    [
      'run-started',
      {
        request: {
          workflow: 'lld',
          briefHash: a,
          contextHash: b,
          fork: { run: 'R', step: 1, record: c, draft: d, prompt: e },
        },
      },
      [a, b, c, d, e],
    ],
    ['run-started', { request: { workflow: 'agent', agent: 'reviewer' } }, []],
    ['files-listed', { files: a, count: 3 }, [a]],
    ['prompt-sent', { prompt: a, instructions: b }, [a]],
    ['model-answered', { answer: a, usage: {} }, [a]],
    ['model-answered', { answer: a, prompt: b, takenFrom: 'R' }, [a, b]],
    ['verdict', { prompt: c, draft: a, verdict: b }, [a, b]],
    ['gate-asked', { question: { artefacts: [{ hash: a }, { hash: b }] } }, [a, b]],
    ['gate-asked', { question: { artefacts: [{ hash: '' }] } }, []],
    ['gate-answered', { answer: { seen: { draft: a, verdict: b } } }, [a, b]],
    ['effect-intended', effect('write-file', { path: 'p', content: a }), [a]],
    ['effect-intended', effect('write-settings', { content: a }), [a]],
    ['effect-intended', effect('edit-file', { path: 'p', content: a, replaces: b }), [a, b]],
    ['effect-intended', effect('create-issue', { body: a }), [a]],
    ['effect-intended', effect('create-comment', { body: a }), [a]],
    ['effect-intended', effect('create-pull-request', { body: a }), [a]],
    [
      'effect-intended',
      effect('create-review', { body: a, comments: [{ body: b }, { body: c }] }),
      [a, b, c],
    ],
    ['effect-intended', effect('merge-pull-request', { body: a, head: 'h' }), [a]],
    ['effect-intended', effect('merge-together', { pulls: [{ body: a }, { body: b }] }), [a, b]],
    ['effect-intended', effect('comment-commit', { body: a }), [a]],
    ['effect-intended', effect('commit-files', { message: a, paths: [] }), []],
    ['event-received', { event: a }, [a]],
    ['step-done', { step: 's', result: a }, [a]],
    ['command-verified', { output: a, commit: b }, [a]],
    ['change-proven', { proof: a, commit: b }, [a]],
    ['merge-rejected', { output: a, commit: b }, [a]],
    ['pull-request-made', { text: a, summary: b }, [a, b]],
    ['plan-proposed', { plan: a, seen: { title: b } }, [a]],
    ['plan-approved', { plan: a }, [a]],
    ['pull-request-made', { number: 1, text: a }, [a]],
    ['pull-request-made', { number: 1 }, []],
    ['work-summarised', { summary: a, commit: b }, [a]],
    ['code-reviewed', { review: a, commit: b }, [a]],
    ['code-reviewed', { review: a, commit: b, input: b, prompt: a }, [a, b]],
    // Hashes of what is not kept.
    ['failure-diagnosed', { signature: a }, []],
    ['template-synced', { source: a }, []],
    ['node-begun', { node: 'N2', step: 1 }, []],
    // Not an entry any more, or not a hash.
    ['gate-answered', {}, []],
    ['gate-asked', null, []],
    ['verdict', 'x', []],
    ['model-answered', { answer: 'not a hash' }, []],
    ['unheard-of', { answer: a }, []],
  ])('%s %j', (kind, data, texts) => {
    expect(textsOfEntry(kind, data)).toEqual(texts);
  });
});
