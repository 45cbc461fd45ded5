/**
 * Sets a repository up: new files and missing labels. What should be there is compared with what is there, and only
 * what is missing is made, so that it can be run again at any time, also after it was cut off.
 */
import type { EffectAllowance } from '../domain/ledger/effect.ts';
import { makeRunId } from '../domain/ledger/ids.ts';
import { localSettingsPath } from '../domain/machine/local-settings.ts';
import type { ForgeLabel } from '../ports/forge/forge.ts';
import { acquireLease } from '../runs/acquire-lease.ts';
import type { RepositoryAccess } from '../runs/house.ts';
import { makeEffects } from '../runs/make-effects.ts';

export interface WantedFile {
  readonly path: string;
  readonly content: string;
  /** Only there to keep a folder: not needed when the folder holds something. */
  readonly keeps?: string;
  /** A person asked for this content, so it replaces another one. */
  readonly isAskedFor?: boolean;
}

interface PlannedFile extends WantedFile {
  /** `differs`: it is there with another content and is left as it is. */
  readonly state: 'new' | 'there' | 'differs' | 'changes';
  readonly existing: string | null;
}

/** The user's settings for this repository, outside its files. */
interface PlannedSettings {
  readonly content: string;
  readonly state: 'new' | 'there' | 'changes';
  readonly existing: string | null;
}

interface PlannedLabel extends ForgeLabel {
  /** `differs`: it is there in another colour or with another description, and is left as it is. */
  readonly state: 'new' | 'there' | 'differs';
  /** As it is on the forge. */
  readonly existing: Pick<ForgeLabel, 'colour' | 'description'> | null;
}

export interface SetupPlan {
  readonly files: readonly PlannedFile[];
  readonly labels: readonly PlannedLabel[];
  /** Null: none are wanted. */
  readonly settings: PlannedSettings | null;
  /** Whether anything would be made. */
  readonly isNeeded: boolean;
}

type SetupHouse = Pick<
  RepositoryAccess,
  | 'repository'
  | 'forge'
  | 'transport'
  | 'repositoryName'
  | 'ledger'
  | 'leases'
  | 'clock'
  | 'actor'
  | 'signingKey'
>;

const allowance: EffectAllowance = {
  'write-file': 30,
  'edit-file': 30,
  'write-settings': 1,
  'ensure-label': 200,
};

async function planFile(house: SetupHouse, wanted: WantedFile): Promise<PlannedFile> {
  const isKept = wanted.keeps !== undefined && (await house.repository.listFolder(wanted.keeps)).length > 0;
  const existing = await house.repository.readText(wanted.path);
  if (isKept) return { ...wanted, state: 'there', existing };
  if (existing === null) return { ...wanted, state: 'new', existing };
  if (existing === wanted.content) return { ...wanted, state: 'there', existing };
  return { ...wanted, state: wanted.isAskedFor === true ? 'changes' : 'differs', existing };
}

function planLabel(wanted: ForgeLabel, there: readonly ForgeLabel[]): PlannedLabel {
  const found = there.find(({ name }) => name.toLowerCase() === wanted.name.toLowerCase());
  if (found === undefined) return { ...wanted, state: 'new', existing: null };
  const { colour, description } = found;
  const isSame = colour.toLowerCase() === wanted.colour.toLowerCase() && description === wanted.description;
  return { ...wanted, state: isSame ? 'there' : 'differs', existing: { colour, description } };
}

/** Compares; changes nothing. */
export async function planSetup(
  house: SetupHouse,
  wanted: {
    readonly files: readonly WantedFile[];
    readonly labels: readonly ForgeLabel[];
    /** The text of the user's settings for this repository, made from what is there; null: leave it as it is. */
    readonly settings?: (existing: string | null) => string | null;
  },
): Promise<SetupPlan> {
  const there = await house.forge.listLabels(house.repositoryName);
  const files: PlannedFile[] = [];
  for (const file of wanted.files) files.push(await planFile(house, file));
  const labels = wanted.labels.map((label) => planLabel(label, there));
  const settings = await planSettings(house, wanted.settings);
  const all = [...files, ...labels, ...(settings === null ? [] : [settings])];
  const isNeeded = all.some(({ state }) => state === 'new' || state === 'changes');
  return { files, labels, settings, isNeeded };
}

async function planSettings(
  house: SetupHouse,
  want: ((existing: string | null) => string | null) | undefined,
): Promise<PlannedSettings | null> {
  if (want === undefined) return null;
  const existing = await house.repository.readSettings();
  const content = want(existing);
  if (content === null) return null;
  const state = existing === null ? 'new' : existing === content ? 'there' : 'changes';
  return { content, state, existing };
}

/** Makes what the plan lacks, one effect each; reports every one that is done. */
export async function performSetup(
  house: SetupHouse,
  plan: SetupPlan,
  onDone: (what: string, label: PlannedLabel | null) => void,
): Promise<void> {
  const run = makeRunId(house.clock.now(), house.clock.randomBytes(10));
  const subject = `setup:${house.repositoryName}`;
  const lease = await acquireLease(house, subject);
  try {
    const effects = makeEffects(house, { run, subject, fence: lease, allowance, dryRun: false });
    for (const { path, content } of plan.files.filter(({ state }) => state === 'new')) {
      await effects.perform(`setup/file/${path}`, 'write-file', async () => ({
        path,
        content: await house.ledger.putText(content),
      }));
      onDone(path, null);
    }
    for (const { path, content } of plan.files.filter(({ state }) => state === 'changes')) {
      const hash = await house.ledger.putText(content);
      await effects.perform(`setup/change/${path}`, 'edit-file', () => ({ path, content: hash }));
      onDone(path, null);
    }
    if (plan.settings !== null && plan.settings.state !== 'there') {
      const hash = await house.ledger.putText(plan.settings.content);
      await effects.perform('setup/settings', 'write-settings', () => ({ content: hash }));
      onDone(`.git/${localSettingsPath}`, null);
    }
    for (const label of plan.labels.filter(({ state }) => state === 'new')) {
      const { name, colour, description } = label;
      await effects.perform(`setup/label/${name.toLowerCase()}`, 'ensure-label', () => ({
        repository: house.repositoryName,
        name,
        colour,
        description,
      }));
      onDone(`label "${name}"`, label);
      // A slow forge may take longer for all of them than a lease lasts.
      await lease.renew();
    }
  } finally {
    await lease.release();
  }
}
