/** What a check-up looks at. Everything here only reads; what cannot be read throws. */
import type { AgentModelChoice, AgentRole } from '../domain/fleet/agent-models.ts';
import type { NeededPermission } from '../domain/forge/github-permissions.ts';
import type { AuthoringWorkflow } from '../domain/ledger/run.ts';
import type { SandboxDemand } from '../domain/machine/sandbox-demand.ts';
import type { ModelChoice, ModelRole } from '../domain/models/model-choice.ts';
import type { CodingAgent } from './coding-agent.ts';
import type { ActionsSettings } from './forge/actions-settings.ts';
import type { Permission } from './forge/forge.ts';
import type { Machine } from './machine.ts';
import type { Model } from './model.ts';
import type { NotificationChannel, UnsentMessage } from './notifications/notification-channel.ts';
import type { Repository } from './repository.ts';
import type { Sandbox } from './sandbox.ts';

export interface DatabaseFacts {
  readonly file: string;
  readonly keyFile: string;
  /** Null when there is no database yet. */
  readonly schema: number | null;
  readonly knownSchema: number;
  /** What SQLite found wrong; null when nothing. */
  readonly damage: string | null;
}

export interface LocalForgeFacts {
  /** Null when it was never used. */
  readonly repository: string | null;
  readonly permission: Permission;
}

interface GithubFacts {
  readonly host: string;
  readonly repository: string;
  /** What it is called now. */
  readonly name: string;
  readonly login: string;
  readonly permission: Permission;
  readonly scopes: readonly string[] | null;
  readonly clockAhead: number | null;
  /** The permissions that the credential lacks; null when that cannot be determined. */
  readonly missing: readonly NeededPermission[] | null;
  readonly isApp: boolean;
}

interface HostAddress {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether it is spoken to over TLS. */
  readonly isSecure: boolean;
  /** Where `fetch` connects to it, the setting that holds its address: `fetch` refuses some ports. */
  readonly fetchSetting?: string;
}

export interface HostNeed extends HostAddress {
  /** Whether it is reached out of the sandbox, through its gate. */
  readonly isFromSandbox: boolean;
}

export interface TriedHost {
  readonly isReached: boolean;
  /** Completes "is reached …", else "is not reached: …". */
  readonly how: string;
  /** What to do about it; empty when it was reached. */
  readonly fix: string;
}

export interface CheckupWorld {
  readonly machine: Machine;
  readonly actor: string;
  /** Null when we are in none. */
  readonly repository: Pick<Repository, 'root' | 'checkReady' | 'currentBranch'> | null;
  /** Folders of the repository into which workflows write, for a run of some name. */
  readonly writtenFolders: readonly string[];
  readonly forge: 'local' | 'github';
  readonly readGithub: () => Promise<GithubFacts>;
  readonly readActionsSettings: () => Promise<ActionsSettings>;
  readonly readLocalForge: () => LocalForgeFacts;
  /** The command that was chosen or is the default, and whether a person chose it. */
  readonly editor: {
    readonly command: string;
    readonly isChosen: boolean;
    readonly isRunnable: () => boolean;
  };
  readonly models: Readonly<Record<AuthoringWorkflow, ModelChoice>>;
  /** Which model has which role in the fleet, and whether a person chose it. */
  readonly agentModels: Readonly<Record<AgentRole, AgentModelChoice>>;
  readonly makeModel: (spec: string, role: ModelRole) => Model;
  readonly makeCodingAgent: (spec: string) => Pick<CodingAgent, 'checkReady'>;
  readonly sandbox: Pick<Sandbox, 'inspect' | 'inspectLimits'> & {
    readonly demand: SandboxDemand;
    /** What a sandbox shows of toolchains outside the system, and what is not shown though it was asked for or found. */
    readonly findTools: () => {
      readonly shown: readonly string[];
      readonly refused: readonly {
        readonly path: string;
        readonly why: string;
        /** Whether a person asked for it. */
        readonly isNamed: boolean;
      }[];
    };
  };
  readonly network: {
    /** Where a model is asked; null for one that is on this machine. */
    readonly hostOfModel: (spec: string) => HostAddress | null;
    /** Of the forge that was chosen, each with what it is for. */
    readonly forgeHosts: () => readonly (HostAddress & { readonly use: string })[];
    /** What `fleet.setup` may reach. */
    readonly setupHosts: () => readonly HostAddress[];
    /** Variables that name certificates to trust. */
    readonly certificateFiles: readonly {
      readonly variable: string;
      readonly path: string;
      /** Null when it cannot be determined, as for a folder. */
      readonly holdsCertificate: boolean | null;
    }[];
    /** Connects to each, in their order. */
    readonly tryHosts: (hosts: readonly HostNeed[], signal: AbortSignal) => Promise<readonly TriedHost[]>;
  };
  readonly notifications: {
    /** Fails when the settings cannot be used. */
    readonly listChannels: () => Promise<readonly Pick<NotificationChannel, 'name' | 'kind' | 'check'>[]>;
    /** Messages that were not taken of late, newest first. */
    readonly listUnsent: () => Promise<readonly UnsentMessage[]>;
  };
  readonly databaseFile: string;
  readonly inspectDatabase: () => DatabaseFacts;
  /** Files of the inbox of `serve` from which deliveries could not be taken: set aside, or not readable for this user. */
  readonly inspectInboxes: () => {
    readonly damaged: readonly string[];
    readonly unreadable: readonly string[];
  };
  readonly configuration: {
    readonly files: readonly { readonly file: string; readonly exists: boolean }[];
    readonly problems: readonly string[];
  };
  /** Names of the credentials; fails when the file with them cannot be used. */
  readonly listCredentials: () => readonly { readonly name: string; readonly provider: string }[];
  readonly credentialsFile: string;
  /** Variables with our prefix that the program does not read, each with what was probably meant. */
  readonly strayVariables: readonly { readonly name: string; readonly meant: string | null }[];
}
