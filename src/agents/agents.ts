/**
 * Every agent that there is: what it says of itself, and how its code is loaded when it is to run. To add one, add its
 * folder, a line here and its name in `src/domain/fleet/agent-names.ts`; the compiler says which is missing.
 */
import { type AgentName, agentNames, type WorkerName } from '../domain/fleet/agent-names.ts';
import type { Agent } from './agent.ts';
import { autoMergeManifest } from './auto-merge/manifest.ts';
import { ciDoctorManifest } from './ci-doctor/manifest.ts';
import { dailyDigestManifest } from './daily-digest/manifest.ts';
import { docDriftManifest } from './doc-drift/manifest.ts';
import { healthReportManifest } from './health-report/manifest.ts';
import { implementerManifest } from './implementer/manifest.ts';
import { labelKeeperManifest } from './label-keeper/manifest.ts';
import type { Manifest } from './manifest.ts';
import { prSizeGuardianManifest } from './pr-size-guardian/manifest.ts';
import { reviewerManifest } from './reviewer/manifest.ts';
import { staleGardenerManifest } from './stale-gardener/manifest.ts';
import { templateSyncManifest } from './template-sync/manifest.ts';

interface ListedAgent<N extends WorkerName> {
  readonly manifest: Manifest<N>;
  readonly load: () => Promise<Agent>;
}

export const agents: { readonly [N in WorkerName]: ListedAgent<N> } = {
  implementer: {
    manifest: implementerManifest,
    load: async () => (await import('./implementer/implementer.ts')).implementer,
  },
  reviewer: {
    manifest: reviewerManifest,
    load: async () => (await import('./reviewer/reviewer.ts')).reviewer,
  },
  'auto-merge': {
    manifest: autoMergeManifest,
    load: async () => (await import('./auto-merge/auto-merge.ts')).autoMerge,
  },
  'ci-doctor': {
    manifest: ciDoctorManifest,
    load: async () => (await import('./ci-doctor/ci-doctor.ts')).ciDoctor,
  },
  'pr-size-guardian': {
    manifest: prSizeGuardianManifest,
    load: async () => (await import('./pr-size-guardian/pr-size-guardian.ts')).prSizeGuardian,
  },
  'daily-digest': {
    manifest: dailyDigestManifest,
    load: async () => (await import('./daily-digest/daily-digest.ts')).dailyDigest,
  },
  'health-report': {
    manifest: healthReportManifest,
    load: async () => (await import('./health-report/health-report.ts')).healthReport,
  },
  'stale-gardener': {
    manifest: staleGardenerManifest,
    load: async () => (await import('./stale-gardener/stale-gardener.ts')).staleGardener,
  },
  'doc-drift': {
    manifest: docDriftManifest,
    load: async () => (await import('./doc-drift/doc-drift.ts')).docDrift,
  },
  'template-sync': {
    manifest: templateSyncManifest,
    load: async () => (await import('./template-sync/template-sync.ts')).templateSync,
  },
  'label-keeper': {
    manifest: labelKeeperManifest,
    load: async () => (await import('./label-keeper/label-keeper.ts')).labelKeeper,
  },
};

/** In the order in which they act. */
export const manifests: readonly Manifest[] = Object.values(agents).map(({ manifest }) => manifest);

/** Those that people meet, and may switch on and off. */
export const agentManifests: readonly Manifest<AgentName>[] = agentNames.map((name) => agents[name].manifest);

export function manifestOf(name: WorkerName): Manifest {
  return agents[name].manifest;
}

export function loadAgent(name: WorkerName): Promise<Agent> {
  return agents[name].load();
}
