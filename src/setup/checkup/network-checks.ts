/** Checks of the way to other machines: each host that the chosen models, the forge and `fleet.setup` need is tried. */
import type { CheckupWorld, HostNeed } from '../../ports/checkup.ts';
import { type Check, type Finding, ok, problem, warning } from './run-checkup.ts';
import { listUses } from './service-checks.ts';

interface Need extends HostNeed {
  readonly use: string;
  /** Whether a person chose what needs it. */
  readonly isChosen: boolean;
}

/** A model that is not ready sends nothing; another check reports that. */
async function isReady(make: () => { checkReady(): Promise<string | null> }): Promise<boolean> {
  try {
    return (await make().checkReady()) === null;
  } catch {
    return false;
  }
}

async function listNeeds(world: CheckupWorld): Promise<Need[]> {
  const { network, sandbox } = world;
  const hasSandbox = (await sandbox.inspect()).kind !== 'none';
  const ofModels: Need[] = [];
  for (const { spec, use, isChosen, make, isCoding } of listUses(world)) {
    const address = network.hostOfModel(spec);
    if (address !== null && (await isReady(make)))
      ofModels.push({ ...address, use, isChosen, isFromSandbox: isCoding && hasSandbox });
  }
  const ofForge = network.forgeHosts().map((host) => ({ ...host, isChosen: true, isFromSandbox: false }));
  const ofSetup = network.setupHosts().map((host) => ({
    ...{ ...host, use: 'fleet.setup', isChosen: true, isFromSandbox: hasSandbox },
  }));
  return [...ofForge, ...ofModels, ...ofSetup];
}

/** Each host once for each way to it, with all that needs it. */
function groupNeeds(needs: readonly Need[]): Need[] {
  const groups = new Map<string, Need>();
  for (const need of needs) {
    const key = `${need.host} ${need.port} ${need.isSecure} ${need.isFromSandbox}`;
    const known = groups.get(key);
    const uses = [...new Set([...(known?.use.split(', ') ?? []), ...need.use.split(', ')])];
    groups.set(key, {
      ...need,
      use: uses.join(', '),
      isChosen: need.isChosen || known?.isChosen === true,
    });
  }
  return [...groups.values()];
}

function checkCertificates({ network, machine }: CheckupWorld): Finding[] {
  return network.certificateFiles.flatMap(({ variable, path, holdsCertificate }) => {
    const fix = `Give the whole path of a PEM file, or unset ${variable}.`;
    if (!path.startsWith('/') || machine.inspectFile(path) === null)
      return [warning(`${variable} names ${path}, which is not the whole path of a file that is there`, fix)];
    return holdsCertificate === false
      ? [warning(`${variable} names ${path}, which holds no certificate in PEM form`, fix)]
      : [];
  });
}

async function checkNetwork(world: CheckupWorld, signal: AbortSignal): Promise<Finding[]> {
  const certificates = checkCertificates(world);
  const needs = groupNeeds(await listNeeds(world));
  if (needs.length === 0) return [ok('no other machine has to be reached'), ...certificates];
  const tried = await world.network.tryHosts(needs, signal);
  const findings = needs.map((need, index): Finding => {
    const name = `${need.host.includes(':') ? `[${need.host}]` : need.host}:${need.port} (${need.use})`;
    const from = need.isFromSandbox ? ' from the sandbox' : '';
    const { isReached, how, fix } = tried[index] ?? { isReached: false, how: 'it was not tried', fix: '' };
    if (isReached) return ok(`${name} is reached${from} ${how}`);
    return (need.isChosen ? problem : warning)(`${name} is not reached${from}: ${how}`, fix);
  });
  return [...findings, ...certificates];
}

export const networkChecks: readonly Check[] = [{ name: 'network', look: checkNetwork }];
