/** The files that a run has made and what they hold, read off its ledger alone. */

import type { GateQuestion } from '../../../domain/drafts/gate.ts';
import type { Effect } from '../../../domain/ledger/effect.ts';
import type { Sha256 } from '../../../domain/ledger/hash.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';

export interface FileArtefact {
  /** Where it is now. */
  readonly path: string;
  /** Where it was first written. */
  readonly writtenAs: string;
  readonly sha256: Sha256;
}

function moved(path: string, from: string, to: string): string {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path;
}

function applyEffect(files: readonly FileArtefact[], effect: Effect): FileArtefact[] {
  switch (effect.kind) {
    case 'write-file':
      return [...files, { path: effect.path, writtenAs: effect.path, sha256: effect.content }];
    case 'edit-file':
      if (effect.isUndecided === true) return [...files];
      return files.map((file) => (file.path === effect.path ? { ...file, sha256: effect.content } : file));
    case 'move-path':
      return files.map((file) => ({ ...file, path: moved(file.path, effect.from, effect.to) }));
    case 'remove-folder':
      return files.filter((file) => !file.path.startsWith(`${effect.path}/`));
    default:
      return [...files];
  }
}

/** In the order in which they were written. What people changed counts as of the last gate that they answered. */
export function foldArtefacts(entries: readonly LedgerEntry[]): FileArtefact[] {
  const intents = new Map<string, Effect>();
  const questions = new Map<string, GateQuestion>();
  let files: FileArtefact[] = [];
  for (const entry of entries) {
    switch (entry.kind) {
      case 'effect-intended':
        intents.set(entry.key ?? '', entry.data.effect);
        break;
      case 'effect-receipted': {
        const effect = intents.get(entry.key ?? '');
        if (effect !== undefined) files = applyEffect(files, effect);
        break;
      }
      case 'gate-asked':
        questions.set(entry.data.question.id, entry.data.question);
        break;
      case 'gate-answered':
        for (const { name, path } of questions.get(entry.data.gate)?.artefacts ?? []) {
          const sha256 = entry.data.answer.seen[name];
          if (sha256 !== undefined)
            files = files.map((file) => (file.path === path ? { ...file, sha256 } : file));
        }
        break;
      default:
    }
  }
  return files;
}

/** Those of them that a person or a policy was asked about at a gate: the drafts and the verdicts. */
export function foldDecided(entries: readonly LedgerEntry[]): FileArtefact[] {
  const asked = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'gate-asked' ? entry.data.question.artefacts.map((artefact) => artefact.path) : [],
    ),
  );
  return foldArtefacts(entries).filter((file) => asked.has(file.writtenAs));
}
