/** What makes one authoring workflow differ from another. The graph is the same for all; this object is the difference. */

import type { Finding } from '../../domain/drafts/verdict.ts';
import type { EffectAllowance } from '../../domain/ledger/effect.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import type { AuthoringRequest } from '../../domain/ledger/run.ts';
import type { Editor } from '../../ports/editor.ts';
import type { Effects } from '../../ports/effects.ts';
import type { Forge } from '../../ports/forge/forge.ts';
import type { Model } from '../../ports/model.ts';
import type { Prompts } from '../../ports/prompts.ts';
import type { Repository } from '../../ports/repository.ts';
import type { AskContext } from '../../runs/ask-model.ts';
import type { FiledRun } from './recordings/find-filed.ts';
import type { AuthoringState } from './state.ts';

export interface AuthoringContext extends AskContext {
  readonly request: AuthoringRequest;
  readonly definition: AuthoringDefinition;
  readonly effects: Effects;
  readonly models: { readonly drafter: Model; readonly reviewer: Model };
  readonly prompts: Prompts;
  readonly repository: Pick<Repository, 'listFolder' | 'listFiles' | 'readText' | 'exists' | 'checkReady'>;
  readonly forge: Pick<Forge, 'whoAmI' | 'permissionOf' | 'getIssue' | 'kind'>;
  readonly editor: Pick<Editor, 'command' | 'chosen'>;
  /** Whether a person will be asked at a terminal, so that an editor is needed. */
  readonly needsEditor: boolean;
  readonly maxIterations: number;
  /** What the prompt of the drafter says besides its instructions; empty as a rule. The reviewer never gets any. */
  readonly extraInstructions: string;
  /** What this run has on the ledger so far. */
  readonly readEntries: () => Promise<LedgerEntry[]>;
  /** For a fork that no person has allowed to file a second issue: the run that has filed one; null otherwise. */
  readonly findFiled: () => Promise<FiledRun | null>;
  /** Why drafter and reviewer may be of one family; null when no person gave a reason. */
  readonly independenceWaiver: string | null;
}

export interface AuthoringDefinition {
  readonly workflow: AuthoringRequest['workflow'];
  readonly draftPrompt: string;
  /** Read from the installed package only. */
  readonly reviewPrompt: string;
  readonly allowance: EffectAllowance;
  /** Folders that it commits to. */
  readonly folders: (slug: string) => readonly string[];
  /** The effect from which on a run has to be finished and cannot be given up any more. */
  readonly pointOfNoReturn: string;
  /** How the conversation with the drafter begins. */
  readonly askForDraft: (context: AuthoringContext) => Promise<string>;
  /** `findings` are those of the mechanical checks that block nothing. */
  readonly askForReview: (
    context: AuthoringContext,
    draft: string,
    findings: readonly Finding[],
  ) => Promise<string>;
  /** What code can find wrong with a draft before a reviewer is paid. */
  readonly check: (context: AuthoringContext, draft: string) => Promise<Finding[]>;
  /** N6: turns the approved draft into its final form. */
  readonly finish: (context: AuthoringContext, state: AuthoringState) => Promise<Partial<AuthoringState>>;
}
