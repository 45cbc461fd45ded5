/** Which hosts `doctor` tries, and what it makes of what was found. */
import { describe, expect, it } from 'vitest';
import type { CheckupWorld, HostNeed, TriedHost } from '../../ports/checkup.ts';
import { networkChecks } from './network-checks.ts';

interface Facts {
  readonly sandbox?: 'bubblewrap' | 'none';
  readonly drafter?: string;
  readonly coder?: { spec: string; isChosen: boolean };
  readonly notReady?: readonly string[];
  readonly forge?: readonly string[];
  readonly setup?: readonly string[];
  readonly certificates?: CheckupWorld['network']['certificateFiles'];
  readonly outcome?: (need: HostNeed) => TriedHost;
}

const addresses: Readonly<Record<string, string>> = { claude: 'claude.example', google: 'google.example' };
const reached: TriedHost = { isReached: true, how: 'over IPv4', fix: '' };
const secure = (host: string) => ({ host, port: 443, isSecure: true });

/** The parts of the world that this check looks at. */
function makeWorld(facts: Facts, tried: HostNeed[]): CheckupWorld {
  const { drafter = 'builtin:outline', coder = { spec: 'claude:sonnet', isChosen: false } } = facts;
  const makeModel = (spec: string) => ({
    checkReady: async () => (facts.notReady?.includes(spec) === true ? 'it has no key' : null),
  });
  const choice = { drafter, reviewer: 'builtin:checklist' };
  const other = { spec: 'cassette:x.json', isChosen: true };
  const world = {
    models: { issue: choice, lld: choice },
    agentModels: { coder, planner: coder, reviewer: other, writer: { ...coder, spec: 'google:gemini' } },
    machine: {
      findProgram: () => '/bin/claude',
      inspectFile: (path: string) => (path.startsWith('/there') ? {} : null),
    },
    makeModel,
    makeCodingAgent: makeModel,
    sandbox: { inspect: async () => ({ kind: facts.sandbox ?? 'bubblewrap', reason: null }) },
    network: {
      hostOfModel: (spec: string) => {
        const host = addresses[spec.split(':')[0] ?? ''];
        return host === undefined ? null : secure(host);
      },
      forgeHosts: () => (facts.forge ?? []).map((host) => ({ ...secure(host), use: 'GitHub' })),
      setupHosts: () => (facts.setup ?? []).map(secure),
      certificateFiles: facts.certificates ?? [],
      tryHosts: async (needs: readonly HostNeed[]) => {
        tried.push(...needs);
        return needs.map(facts.outcome ?? (() => reached));
      },
    },
  };
  return world as unknown as CheckupWorld;
}

async function look(facts: Facts): Promise<{ lines: string[]; tried: HostNeed[] }> {
  const tried: HostNeed[] = [];
  const check = networkChecks[0];
  const findings = (await check?.look(makeWorld(facts, tried), new AbortController().signal)) ?? [];
  return { lines: findings.map(({ state, detail }) => `${state} ${detail}`), tried };
}

describe('the hosts that are tried', () => {
  it('are none where everything is on this machine', async () => {
    const { lines, tried } = await look({
      coder: { spec: 'cassette:x.json', isChosen: true },
      notReady: ['google:gemini'],
    });
    expect(lines).toEqual(['ok no other machine has to be reached']);
    expect(tried).toEqual([]);
  });

  it('are each tried once for each way, with all that needs them', async () => {
    const { lines } = await look({
      drafter: 'google:gemini',
      forge: ['api.github.example', 'github.example'],
      setup: ['registry.example', 'claude.example'],
    });
    expect(lines).toEqual([
      'ok api.github.example:443 (GitHub) is reached over IPv4',
      'ok github.example:443 (GitHub) is reached over IPv4',
      'ok google.example:443 (drafter of issue, lld, writer) is reached over IPv4',
      'ok claude.example:443 (coder, planner, fleet.setup) is reached from the sandbox over IPv4',
      'ok registry.example:443 (fleet.setup) is reached from the sandbox over IPv4',
    ]);
  });

  it('are reached without the sandbox where there is none', async () => {
    const { tried } = await look({ sandbox: 'none', setup: ['registry.example'] });
    expect(tried.map(({ host, isFromSandbox }) => `${host} ${isFromSandbox}`)).toEqual([
      'claude.example false',
      'google.example false',
      'registry.example false',
    ]);
  });

  it('are not those of models that are not ready', async () => {
    const { tried } = await look({ notReady: ['claude:sonnet', 'google:gemini'] });
    expect(tried).toEqual([]);
  });
});

describe('what is found', () => {
  const outcome = (): TriedHost => ({ isReached: false, how: 'the name does not resolve', fix: 'Look.' });

  it('is a problem for what somebody chose, and a warning for what nobody did', async () => {
    const { lines } = await look({ outcome, drafter: 'google:gemini', setup: ['registry.example'] });
    expect(lines).toEqual([
      'problem google.example:443 (drafter of issue, lld, writer) is not reached: the name does not resolve',
      'warning claude.example:443 (coder, planner) is not reached from the sandbox: the name does not resolve',
      'problem registry.example:443 (fleet.setup) is not reached from the sandbox: the name does not resolve',
    ]);
  });

  it('is told of variables that name certificates which are not there', async () => {
    const { lines } = await look({
      notReady: ['claude:sonnet', 'google:gemini'],
      certificates: [
        { variable: 'NODE_EXTRA_CA_CERTS', path: '/there/ca.pem', holdsCertificate: true },
        { variable: 'CURL_CA_BUNDLE', path: '/there/ca.pem', holdsCertificate: false },
        { variable: 'SSL_CERT_DIR', path: '/there/ca.pem', holdsCertificate: null },
        { variable: 'GIT_SSL_CAINFO', path: '/gone/ca.pem', holdsCertificate: null },
        { variable: 'SSL_CERT_FILE', path: 'there/ca.pem', holdsCertificate: true },
      ],
    });
    expect(lines).toEqual([
      'ok no other machine has to be reached',
      'warning CURL_CA_BUNDLE names /there/ca.pem, which holds no certificate in PEM form',
      'warning GIT_SSL_CAINFO names /gone/ca.pem, which is not the whole path of a file that is there',
      'warning SSL_CERT_FILE names there/ca.pem, which is not the whole path of a file that is there',
    ]);
  });
});
