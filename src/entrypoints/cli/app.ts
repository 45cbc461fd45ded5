/** What the command line works with; made by the composition root. */
import type { BaseConfig, ForgeKind } from '../../config/read-config.ts';
import type { FleetEvent } from '../../domain/fleet/event.ts';
import type { Permission } from '../../domain/forge/permission.ts';
import type { ModelsFound } from '../../domain/models/propose-models.ts';
import type { DetectedProject } from '../../domain/project/detect-project.ts';
import type { Recording } from '../../domain/recordings/recording.ts';
import type { NotificationDesk } from '../../fleet/notifications/tell-people.ts';
import type { KnownFolder } from '../../fleet/tapes/export-tape.ts';
import type { Cassettes } from '../../ports/cassettes.ts';
import type { CheckupWorld } from '../../ports/checkup.ts';
import type { ClosedIssues } from '../../ports/closed-issues.ts';
import type { CommittedFiles } from '../../ports/committed-files.ts';
import type { CheckState } from '../../ports/forge/forge.ts';
import type { DeliveryCount } from '../../ports/inbox.ts';
import type { Leases } from '../../ports/leases.ts';
import type { RunViews } from '../../ports/ledger.ts';
import type { UnsentMessage } from '../../ports/notifications/notification-channel.ts';
import type { Prompts } from '../../ports/prompts.ts';
import type { Tapes } from '../../ports/tapes.ts';
import type { House, Records } from '../../runs/house.ts';
import type { Receiver, ReceiverNotice, ReceiverOptions } from '../server/webhook/receiver.ts';
import type { Terminal } from './views/terminal.ts';

/** Who may do what on the local forge; GitHub has its own pages for this. */
interface ForgePermissions {
  list(): Promise<{ readonly actor: string; readonly permission: Permission }[]>;
  set(actor: string, permission: Permission): Promise<void>;
}

/** A build that ran outside, as a command reports it to the local forge; GitHub has machines of its own. */
interface ReportedBuild {
  readonly name: string;
  readonly commit: string;
  readonly branch: string;
  readonly conclusion: 'success' | 'failure';
  /** Which part of it failed. */
  readonly step: string;
  /** Its output; the end of it is kept when it failed. */
  readonly log: string;
}

/** A check that ran outside: a build in one word, without a log. */
interface ReportedCheck {
  readonly name: string;
  readonly commit: string;
  readonly state: CheckState;
  readonly description: string;
  readonly url: string;
}

/** What commands report to the local forge, and GitHub knows by itself. */
export interface ForgeCare {
  readonly permissions: ForgePermissions;
  /** Resolves with the id of the workflow run. */
  readonly reportBuild: (build: ReportedBuild) => Promise<number>;
  readonly reportCheck: (check: ReportedCheck) => Promise<void>;
}

/** Where the issues of a repository are. */
interface ForgePlace {
  /** Null: where the configuration says. */
  readonly forge: ForgeKind | null;
  /** The repository's name there, when it is not the one that belongs to the folder. */
  readonly name: string | null;
  /** Under the login of the agents rather than of the person, if the forge has both. */
  readonly asAgent?: boolean;
  /** `scratch`: the ledger is a copy, and what is written to it is thrown away. */
  readonly use?: 'write' | 'scratch';
}

export interface HousePlace extends ForgePlace {
  readonly repository: string | null;
}

export interface Surroundings extends ModelsFound {
  /** The repository on GitHub that the remote `origin` means; null when it means none. */
  readonly github: string | null;
  /** How the project is built and tested, by its files; null when they do not say. */
  readonly project: DetectedProject | null;
}

interface Demo {
  /** The folder that everything is in. */
  readonly folder: string;
  readonly repository: string;
  readonly database: string;
  readonly brief: string;
  readonly cassette: string;
  readonly fleetCassette: string;
  /** The idea as an issue. */
  readonly idea: DemoIssue;
  readonly loopIssue: DemoIssue;
  readonly loopCassette: string;
}

interface DemoIssue {
  readonly title: string;
  readonly body: string;
}

/** A repository and a database of their own, with the brief of a recorded run. */
export interface Scratch {
  readonly folder: string;
  readonly repository: string;
  readonly database: string;
  readonly brief: string;
  remove(): void;
}

interface TapeDesk {
  readonly tapes: Tapes;
  readonly prompts: Prompts;
  /** The folders of this machine that a recording of a run in that repository does not name. */
  foldersOf(repository: string): readonly KnownFolder[];
}

/**
 * `look`: nothing is recorded, so that it also works where nothing can be. `scratch`: what is recorded is recorded in a
 * copy, which goes away with the program.
 */
export type RecordsUse = 'write' | 'look' | 'scratch';

/** The API while it runs. */
export interface RunningApi {
  readonly url: string;
  readonly port: number;
  /** Whether there are pages to be opened. */
  readonly hasPages: boolean;
  /** Rejects when it ended unasked. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** What the API tells the process that runs the fleet. */
export interface ApiListener {
  /** A person answered a gate of this run. */
  readonly onAnswered: (run: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Who is told what, and through what. */
export type OpenedNotifications = Pick<NotificationDesk, 'people' | 'channels' | 'webBase'>;

export interface App {
  /** Without the configuration files, which most commands that only look do not need. */
  readonly config: BaseConfig;
  readonly version: string;
  readonly terminal: Terminal;
  /** The root of a repository, named as for openHouse; null when none was named and we are in none. */
  findRoot(repository: string | null): Promise<string | null>;
  /** Everything that `doctor` looks at, of a repository named as for openHouse. */
  openCheckup(repository: string | null): Promise<CheckupWorld>;
  /** What could be used to set a repository up. */
  lookAround(root: string): Promise<Surroundings>;
  /** For screens that only look: null when nothing was ever recorded. */
  openViews(): Promise<{
    readonly views: RunViews;
    readonly leases: Leases;
    readonly closed: ClosedIssues;
    /** Of webhooks, in all inboxes of the database. */
    readonly countDeliveries: () => DeliveryCount;
    /** Messages to people that were not taken of late, newest first. */
    readonly listUnsent: () => readonly UnsentMessage[];
  } | null>;
  openRecords(use?: RecordsUse): Promise<Records>;
  /** What commits hold, in whichever repository of this machine. */
  openCommittedFiles(): Promise<CommittedFiles>;
  /** What GitHub delivered, as an event of ours; or the name of an event that no agent reacts to. */
  readDelivery(
    name: string,
    delivery: string,
    payload: unknown,
  ): Promise<FleetEvent | { readonly ignored: string }>;
  /** Takes deliveries and stores them in the inbox, signed with that key, in another thread. */
  startReceiver(
    options: ReceiverOptions,
    signingKey: string,
    tell: (notice: ReceiverNotice) => void,
  ): Promise<Receiver>;
  /** Answers requests about a repository, named as for openHouse, in another thread. */
  startApi(
    repository: string | null,
    listening: { readonly host: string; readonly port: number },
    listener: ApiListener,
  ): Promise<RunningApi>;
  /**
   * A repository by folder or by its name on the forge; null means the current folder. On the forge of the
   * configuration, unless `on` names another.
   */
  openHouse(repository: string | null, on?: ForgePlace): Promise<House & ForgeCare>;
  /** The ways to tell people something outside the forge; null where none is set. Fails when a setting cannot be used. */
  openNotifications(signingKey: string): Promise<OpenedNotifications | null>;
  readonly cassettes: Cassettes;
  /** The tapes of agents' runs; with what a recording leaves out, and with the prompts that a replay uses. */
  openTapes(): Promise<TapeDesk>;
  /** In a new folder, or in one that is named and empty. */
  makeScratch(recording: Recording, into: string | null): Promise<Scratch>;
  /** Everything that commands need, with what the recording pins in place of the real models, clock and forge. */
  openReplay(scratch: Scratch, recording: Recording): Promise<House & { close(): void }>;
  prepareDemo(): Promise<Demo>;
  /** The same program with another database, as the demo needs it. */
  withDatabase(file: string, environment: Readonly<Record<string, string>>): App;
}
