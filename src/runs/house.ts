/** Everything that dispatch works with, put together by the composition root. */
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { AgentModels } from '../domain/fleet/agent-models.ts';
import type { FleetSettings } from '../domain/fleet/fleet-settings.ts';
import type { AuthoringWorkflow } from '../domain/ledger/run.ts';
import type { Budget } from '../domain/models/budget.ts';
import type { ModelChoice, ModelRole } from '../domain/models/model-choice.ts';
import type { Cassettes } from '../ports/cassettes.ts';
import type { Clock } from '../ports/clock.ts';
import type { CodingAgent } from '../ports/coding-agent.ts';
import type { CommandRunner } from '../ports/command-runner.ts';
import type { Editor } from '../ports/editor.ts';
import type { EventFeed } from '../ports/event-feed.ts';
import type { Forge } from '../ports/forge/forge.ts';
import type { Leases } from '../ports/leases.ts';
import type { Ledger, RunViews } from '../ports/ledger.ts';
import type { Model } from '../ports/model.ts';
import type { Prompts } from '../ports/prompts.ts';
import type { Repository } from '../ports/repository.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { TemplateSource } from '../ports/template-source.ts';
import type { Transport } from '../ports/transport.ts';
import type { Trees } from '../ports/trees.ts';
import type { Workspaces } from '../ports/workspace.ts';

/** What is there without any repository: enough for lists and for looking things up. */
export interface Records {
  readonly ledger: Ledger;
  readonly views: RunViews;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly actor: string;
}

/** A repository and everything that a run in it needs. */
export interface House extends Records {
  readonly repository: Repository;
  /** What a command shown to a person has to end with to meet the same database; empty for the usual one. */
  readonly commandSuffix: string;
  /** Name of that repository on the forge. */
  readonly repositoryName: string;
  readonly forge: Forge;
  readonly transport: Transport;
  /** Null where the forge delivers what happens by itself. */
  readonly eventFeed: EventFeed | null;
  readonly cassettes: Cassettes;
  readonly editor: Editor;
  readonly prompts: Prompts;
  readonly budget: Budget;
  readonly signingKey: string;
  /** What is used when nobody says otherwise. */
  readonly modelsFor: (workflow: AuthoringWorkflow) => ModelChoice;
  readonly agentModels: AgentModels;
  /** Rounds of drafting before a run stops and asks. */
  readonly maxIterations: number;
  readonly fleet: FleetSettings;
  readonly makeModel: (spec: string, role: ModelRole) => Model;
  readonly makeCodingAgent: (spec: string) => CodingAgent;
  readonly workspaces: Workspaces;
  readonly trees: Trees;
  readonly templates: TemplateSource;
  /** Where coding agents and commands run; what it is belongs on the ledger of a run that uses it. */
  readonly sandbox: Sandbox;
  /** Runs the commands of a project, such as its tests, in that sandbox. */
  readonly commands: CommandRunner;
  readonly openCheckpoints: () => Promise<BaseCheckpointSaver>;
}
