/** Makes the models that runs name. The libraries of their providers are loaded when one is called, not here. */
import { dirname, join, resolve } from 'node:path';
import { makeAiSdkModel } from './adapters/ai-sdk/ai-sdk-model.ts';
import { checklistReviewer } from './adapters/builtin/checklist-reviewer.ts';
import { outlineDrafter } from './adapters/builtin/outline-drafter.ts';
import { makeCassetteModel } from './adapters/cassette/cassette-model.ts';
import { makeClaudeCodeModel } from './adapters/claude-code/claude-code-model.ts';
import { systemClock } from './adapters/system/system-clock.ts';
import type { Config } from './config/load-config.ts';
import { readCredentials } from './config/read-credentials.ts';
import type { House } from './dispatch/house.ts';
import { providers } from './domain/credential.ts';
import { GatewrightError } from './errors.ts';
import type { Model } from './ports/model.ts';

type Role = 'drafter' | 'reviewer';

/** The CLI is for drafting, where five minutes are plenty. */
const claudeCodeSeconds = 300;

function makeProviderModel(config: Config, provider: (typeof providers)[number], model: string): Model {
  return makeAiSdkModel({
    provider,
    model,
    credentials: readCredentials(config.environment, config.credentialsFile).filter(
      (one) => one.provider === provider,
    ),
    credentialsFile: config.credentialsFile,
    baseUrl: config.providerUrls[provider],
    clock: systemClock,
    limitMilliseconds: config.modelSeconds * 1000,
  });
}

function makeModel(config: Config, spec: string, role: Role): Model {
  const [prefix, ...rest] = spec.split(':');
  const name = rest.join(':').trim();
  const provider = providers.find((one) => one === prefix);
  if (provider !== undefined && name !== '') return makeProviderModel(config, provider, name);
  // A name that begins with a hyphen would be an option of the CLI.
  if (prefix === 'claude' && /^[^-]/u.test(name) && role === 'drafter') {
    return makeClaudeCodeModel({
      model: name,
      environment: config.environment,
      folder: join(dirname(config.databaseFile), 'empty'),
      clock: systemClock,
      limitMilliseconds: Math.min(claudeCodeSeconds, config.modelSeconds) * 1000,
    });
  }
  if (prefix === 'cassette' && name !== '') return makeCassetteModel(resolve(name), role);
  if (spec === 'builtin:outline' && role === 'drafter') return outlineDrafter;
  if (spec === 'builtin:checklist' && role === 'reviewer') return checklistReviewer;
  throw new GatewrightError('model-unknown', `"${spec}" cannot be the ${role}.`);
}

/** A model is asked for when a run is begun and again when it is driven; its cassette and its keys are read once. */
export function composeModels(config: Config): House['makeModel'] {
  const made = new Map<string, Model>();
  return (spec, role) => {
    const model = made.get(`${role} ${spec}`) ?? makeModel(config, spec, role);
    made.set(`${role} ${spec}`, model);
    return model;
  };
}
