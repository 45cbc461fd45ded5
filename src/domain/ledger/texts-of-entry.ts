/**
 * Which texts an entry of the ledger names by their hash: they are part of what it says, so they have to be there as long
 * as it is. Other hashes in entries (of instructions, signatures, sources) are of texts that are not kept.
 */
import type { Effect } from './effect.ts';
import type { Sha256 } from './hash.ts';
import type { NewEntry } from './ledger-entry.ts';
import { matchRequest, type RunRequest } from './run.ts';

type Named = Sha256 | undefined;

function textsOfEffect(effect: Effect): Named[] {
  switch (effect.kind) {
    case 'write-file':
    case 'write-settings':
      return [effect.content];
    case 'show-state':
      return effect.content === null ? [] : [effect.content];
    case 'edit-file':
      return [effect.content, effect.replaces];
    case 'create-review':
      return [effect.body, ...effect.comments.map((comment) => comment.body)];
    case 'merge-together':
      return effect.pulls.map((pull) => pull.body);
    case 'create-issue':
    case 'create-comment':
    case 'create-pull-request':
    case 'merge-pull-request':
    case 'comment-commit':
      return [effect.body];
    case 'send-notification':
      return [effect.message];
    default:
      return [];
  }
}

function textsOfRequest(request: RunRequest): Named[] {
  return matchRequest<Named[]>(request, {
    authoring: ({ briefHash, contextHash, fork }) => [
      ...[briefHash, contextHash],
      ...[fork?.record, fork?.draft, fork?.prompt],
    ],
    agent: () => [],
    loop: () => [],
    pipeline: () => [],
  });
}

function namedBy(entry: NewEntry): Named[] {
  switch (entry.kind) {
    case 'run-started':
      return textsOfRequest(entry.data.request);
    case 'brief-changed':
      return [entry.data.brief, entry.data.previous];
    case 'files-listed':
      return [entry.data.files];
    case 'prompt-sent':
      return [entry.data.prompt];
    case 'model-answered':
      return [entry.data.answer, entry.data.prompt];
    case 'verdict':
      return [entry.data.draft, entry.data.verdict];
    case 'gate-asked':
      return entry.data.question.artefacts.map((artefact) => artefact.hash);
    case 'gate-answered':
      return Object.values(entry.data.answer.seen);
    case 'effect-intended':
      return textsOfEffect(entry.data.effect);
    case 'event-received':
      return [entry.data.event];
    case 'step-done':
      return [entry.data.result];
    case 'command-verified':
    case 'copy-prepared':
    case 'merge-rejected':
      return [entry.data.output];
    case 'change-proven':
      return [entry.data.proof];
    case 'plan-proposed':
    case 'plan-approved':
      return [entry.data.plan];
    case 'pull-request-made':
      return [entry.data.text, entry.data.summary];
    case 'loop-plan-approved':
      return [entry.data.plan, entry.data.grants];
    case 'stage-ended':
      return [entry.data.document];
    case 'question-answered':
      return [entry.data.question, entry.data.answer];
    case 'task-judged':
      return [entry.data.context];
    case 'work-summarised':
      return [entry.data.summary];
    case 'code-reviewed':
      return [entry.data.review, entry.data.input];
    default:
      return [];
  }
}

/** @param data as it was read; what does not look like an entry of that kind names nothing */
export function textsOfEntry(kind: string, data: unknown): Sha256[] {
  let named: Named[];
  try {
    named = namedBy({ kind, data } as NewEntry);
  } catch {
    // The entry was tampered with; its hash shows that.
    return [];
  }
  return named.filter((hash): hash is Sha256 => typeof hash === 'string' && /^[0-9a-f]{64}$/u.test(hash));
}
