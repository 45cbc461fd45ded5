/** Makes the models that runs name. The libraries of their providers are loaded when one is called, not here. */
import { join, resolve } from 'node:path';
import { makeAiSdkModel } from '../adapters/ai-sdk/ai-sdk-model.ts';
import { checklistReviewer } from '../adapters/builtin/checklist-reviewer.ts';
import { outlineDrafter } from '../adapters/builtin/outline-drafter.ts';
import { makeCassetteAgent } from '../adapters/cassette/cassette-agent.ts';
import { makeCassetteModel } from '../adapters/cassette/cassette-model.ts';
import { makeClaudeCodeAgent } from '../adapters/claude-code/claude-code-agent.ts';
import { makeClaudeCodeModel } from '../adapters/claude-code/claude-code-model.ts';
import { makeFetch } from '../adapters/network/network-fetch.ts';
import { describeProxyFor } from '../adapters/network/proxy-rules.ts';
import { makePriceCatalogue } from '../adapters/prices/price-catalogue.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { Config } from '../config/load-config.ts';
import { readCredentials } from '../config/read-credentials.ts';
import { secondsOfCli } from '../domain/models/cli-seconds.ts';
import { providers } from '../domain/models/credential.ts';
import type { ModelRole } from '../domain/models/model-choice.ts';
import { GatewrightError } from '../errors.ts';
import type { CodingAgent } from '../ports/coding-agent.ts';
import type { CredentialLimits } from '../ports/credential-limits.ts';
import type { LoadPrices, Model } from '../ports/model.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { House } from '../runs/house.ts';

interface Needs {
  readonly loadPrices: LoadPrices;
  readonly config: Config;
  readonly limits: CredentialLimits;
  readonly sandbox: Sandbox;
}

function makeProviderModel(
  { config, limits, loadPrices }: Needs,
  provider: (typeof providers)[number],
  model: string,
): Model {
  return makeAiSdkModel({
    provider,
    model,
    credentials: readCredentials(config.environment, config.credentialsFile).filter(
      (one) => one.provider === provider,
    ),
    credentialsFile: config.credentialsFile,
    baseUrl: config.providerUrls[provider],
    clock: systemClock,
    limits,
    loadPrices,
    limitMilliseconds: config.modelSeconds * 1000,
    fetch: makeFetch(config.environment),
    proxyOf: (url) => describeProxyFor(config.environment, url),
  });
}

function makeModel(needs: Needs, spec: string, role: ModelRole): Model {
  const { config, limits, loadPrices } = needs;
  const [prefix, ...rest] = spec.split(':');
  const name = rest.join(':').trim();
  const provider = providers.find((one) => one === prefix);
  if (provider !== undefined && name !== '') return makeProviderModel(needs, provider, name);
  // A name that begins with a hyphen would be an option of the CLI. The CLI does not review drafts, because it drafts
  // them.
  if (prefix === 'claude' && /^[^-]/u.test(name) && role !== 'reviewer') {
    return makeClaudeCodeModel({
      model: name,
      environment: config.environment,
      folder: join(config.dataFolder, 'empty'),
      clock: systemClock,
      limits,
      loadPrices,
      // A person's own settings for the CLI must not influence a model that judges the work of others.
      settings: role === 'drafter' ? 'user' : 'none',
      limitMilliseconds: 1000 * secondsOfCli(role, config.modelSeconds),
    });
  }
  if (prefix === 'cassette' && name !== '')
    return makeCassetteModel(resolve(name), role === 'code reviewer' ? 'reviewer' : role);
  if (spec === 'builtin:outline' && role === 'drafter') return outlineDrafter;
  if (spec === 'builtin:checklist' && role === 'reviewer') return checklistReviewer;
  throw new GatewrightError('model-unknown', `"${spec}" cannot be the ${role}.`);
}

function makeCodingAgent({ config, limits, sandbox, loadPrices }: Needs, spec: string): CodingAgent {
  const [prefix, ...rest] = spec.split(':');
  const name = rest.join(':').trim();
  const { environment } = config;
  if (prefix === 'claude' && /^[^-]/u.test(name))
    return makeClaudeCodeAgent({ model: name, environment, clock: systemClock, limits, sandbox, loadPrices });
  if (prefix === 'cassette' && name !== '')
    return makeCassetteAgent(resolve(name), 'coder', environment, sandbox);
  throw new GatewrightError('model-unknown', `"${spec}" can neither write code nor plan.`, {
    hint: 'Use claude:MODEL, claude:default or cassette:FILE.',
  });
}

/** A model is asked for when a run is begun and again when it is driven; its cassette and its keys are read once. */
export function composeModels(
  config: Config,
  limits: CredentialLimits,
  sandbox: Sandbox,
): Pick<House, 'makeModel' | 'makeCodingAgent'> {
  const needs = { config, limits, sandbox, loadPrices: makePriceCatalogue(config.prices) };
  const models = new Map<string, Model>();
  const agents = new Map<string, CodingAgent>();
  return {
    makeModel: (spec, role) => {
      const key = `${role} ${spec}`;
      const model = models.get(key) ?? makeModel(needs, spec, role);
      models.set(key, model);
      return model;
    },
    makeCodingAgent: (spec) => {
      const agent = agents.get(spec) ?? makeCodingAgent(needs, spec);
      agents.set(spec, agent);
      return agent;
    },
  };
}
