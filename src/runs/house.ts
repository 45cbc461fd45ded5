/** What runs, workflows and the fleet work with, in parts; the composition root puts them together. */
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
import type { WorkflowStarter } from '../ports/forge/workflow-starter.ts';
import type { Leases } from '../ports/leases.ts';
import type { Ledger, RunViews } from '../ports/ledger.ts';
import type { Model } from '../ports/model.ts';
import type { Prompts } from '../ports/prompts.ts';
import type { KeptWork } from '../ports/proposals/kept-work.ts';
import type { Parcels } from '../ports/proposals/parcels.ts';
import type { Repository } from '../ports/repository.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { Tapes } from '../ports/tapes.ts';
import type { TemplateSource } from '../ports/template-source.ts';
import type { Transport } from '../ports/transport.ts';
import type { Trees } from '../ports/trees.ts';
import type { Workspaces } from '../ports/workspace.ts';
import type { Half } from './halves.ts';

/** What is there without any repository: enough for lists and for looking things up. */
export interface Records {
  readonly ledger: Ledger;
  readonly views: RunViews;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly actor: string;
}

/** A repository, its forge, and what it takes to change them under a run's lease. */
export interface RepositoryAccess extends Records {
  readonly repository: Repository;
  /** The end that a command shown to a person needs so that it uses the same database; empty for the usual one. */
  readonly commandSuffix: string;
  /** Name of that repository on the forge. */
  readonly repositoryName: string;
  readonly forge: Forge;
  readonly transport: Transport;
  readonly signingKey: string;
  /** Missing where the forge runs no workflows. */
  readonly workflows?: WorkflowStarter;
  /** Which half of a run this process does; missing where it does both. */
  readonly half?: Half;
  /** Missing where runs stay on the machine that has what they made. */
  readonly keptWork?: KeptWork;
}

/** What it takes to ask a model. */
interface ModelAccess {
  readonly prompts: Prompts;
  readonly budget: Budget;
  readonly makeModel: (spec: string, role: ModelRole) => Model;
}

/** What the authoring workflows work with. */
export interface AuthoringTools extends RepositoryAccess, ModelAccess {
  readonly cassettes: Cassettes;
  readonly editor: Editor;
  /** The models that are used unless a person names others. */
  readonly modelsFor: (workflow: AuthoringWorkflow) => ModelChoice;
  /** Rounds of drafting before a run stops and asks. */
  readonly maxIterations: number;
  readonly openCheckpoints: () => Promise<BaseCheckpointSaver>;
}

/** What the fleet and its agents work with. */
export interface FleetTools extends RepositoryAccess, ModelAccess {
  /** Null where the forge delivers events by itself. */
  readonly eventFeed: EventFeed | null;
  readonly fleet: FleetSettings;
  readonly agentModels: AgentModels;
  /** Those of them that the command line named. */
  readonly namedModels: Readonly<Partial<AgentModels>>;
  readonly makeCodingAgent: (spec: string) => CodingAgent;
  readonly workspaces: Workspaces;
  readonly trees: Trees;
  /** Carries what agents left to the process that makes the changes. */
  readonly parcels: Parcels;
  readonly templates: TemplateSource;
  /** Where coding agents and commands run; what it is belongs on the ledger of a run that uses it. */
  readonly sandbox: Sandbox;
  /** What agents were told and answered, kept for recordings. */
  readonly tapes: Tapes;
  /** Runs the commands of a project, such as its tests, in that sandbox. */
  readonly commands: CommandRunner;
  /** Where the workflows that events start keep how far they are. */
  readonly openCheckpoints: () => Promise<BaseCheckpointSaver>;
}

/** All of it, as the composition root makes it for a command. Each room takes only the part that it needs. */
export interface House extends AuthoringTools, FleetTools {}
