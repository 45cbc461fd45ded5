/** Which hosts the settings need, and how they are tried, for `doctor`. */
import { providerUrls } from '../adapters/ai-sdk/provider-urls.ts';
import { claudeProviderUrl } from '../adapters/claude-code/claude-policy.ts';
import { githubApiSetting, webBaseOf } from '../adapters/github/client/web-base.ts';
import { certificateVariables } from '../adapters/network/certificate-variables.ts';
import { holdsCertificate } from '../adapters/network/holds-certificate.ts';
import { parseHost } from '../adapters/network/parse-host.ts';
import { portOf } from '../adapters/network/proxy-rules.ts';
import { tryHosts } from '../adapters/sandbox/try-hosts.ts';
import type { Config } from '../config/load-config.ts';
import { addressVariables, providers } from '../domain/models/credential.ts';
import type { CheckupWorld } from '../ports/checkup.ts';

type Network = CheckupWorld['network'];
type Address = ReturnType<Network['setupHosts']>[number];

function addressOf(url: string | URL): Address | null {
  if (!URL.canParse(String(url))) return null;
  const parsed = new URL(url);
  return {
    host: parsed.hostname.replace(/^\[|\]$/gu, ''),
    port: portOf(parsed),
    isSecure: parsed.protocol === 'https:',
  };
}

function hostOfModel({ environment, providerUrls: chosen }: Config, spec: string): Address | null {
  const prefix = spec.split(':')[0];
  if (prefix === 'claude') return addressOf(claudeProviderUrl(environment));
  const provider = providers.find((one) => one === prefix);
  if (provider === undefined) return null;
  const address = addressOf(chosen[provider] ?? providerUrls[provider]);
  return address && { ...address, fetchSetting: addressVariables[provider] };
}

/** The API, and where git pushes to, which is another host on GitHub's own servers. */
function forgeHosts({ forge, github }: Config): ReturnType<Network['forgeHosts']> {
  if (forge !== 'github' || github.problem !== null) return [];
  const api = addressOf(github.apiUrl);
  const places = [
    { use: 'GitHub', address: api && { ...api, fetchSetting: githubApiSetting } },
    { use: 'git', address: addressOf(webBaseOf(github.apiUrl)) },
  ];
  return places.flatMap(({ use, address }) => (address === null ? [] : [{ ...address, use }]));
}

function setupHosts({ fleet }: Config): Address[] {
  if (fleet.setup === null) return [];
  return fleet.setupHosts.flatMap((text) => {
    const parsed = parseHost(text);
    // What is spoken at other ports is not known.
    return parsed === null ? [] : [{ ...parsed, isSecure: parsed.port === 443 }];
  });
}

export function composeNetworkTrial(config: Config): Network {
  const { environment } = config;
  return {
    hostOfModel: (spec) => hostOfModel(config, spec),
    forgeHosts: () => forgeHosts(config),
    setupHosts: () => setupHosts(config),
    certificateFiles: certificateVariables.flatMap((variable) => {
      const path = environment[variable];
      return path === undefined || path === ''
        ? []
        : [{ variable, path, holdsCertificate: holdsCertificate(path) }];
    }),
    tryHosts: (hosts, signal) => tryHosts(hosts, { environment, signal }),
  };
}
