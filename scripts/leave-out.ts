/**
 * What the published program leaves out of its dependencies: parts that load with them and that nothing here reaches.
 * Each is replaced where it is imported, so that a part which is reached after all fails with a name, not silently.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');

interface Replacement {
  /** What is imported, and by which package. */
  readonly path: RegExp;
  readonly importer: RegExp;
  readonly contents: string;
}

const refuse = (what: string): string =>
  `() => { throw new Error(${JSON.stringify(`${what} is not part of this program.`)}); }`;

/** The client of LangSmith, to which LangChain sends what runs hold when a variable says so. We send it nothing. */
const langsmith = `
  export class RunTree { constructor(given) { Object.assign(this, given); } }
  export class Client { constructor() { (${refuse('LangSmith')})(); } }
  export const isRunTree = () => false;
  export const convertToDottedOrderFormat = ${refuse('LangSmith')};
  export const getDefaultProjectName = ${refuse('LangSmith')};
`;

const replacements: readonly Replacement[] = [
  // Messages of the schema library in forty languages: a quarter megabyte.
  {
    path: /\/locales\/index\.js$/,
    importer: /\/zod\//u,
    contents: "export { default as en } from 'zod/v4/locales/en.js';",
  },
  { path: /^langsmith(?:\/run_trees)?$/, importer: /\/@langchain\//u, contents: langsmith },
  // Makes objects of LangChain from JSON, of any of its classes. Our checkpoints hold plain data.
  {
    path: /^@langchain\/core\/load$/,
    importer: /\/@langchain\//u,
    contents: `export const load = ${refuse('Reading an object of LangChain')};`,
  },
  // Messages of models, in the form of each provider: our graphs hold no messages.
  {
    path: /\/block_translators\/\w+\.js$/,
    importer: /\/@langchain\/core\/dist\/messages\//u,
    contents: `
      const none = ${refuse('The translation of messages of LangChain')};
      export const getTranslator = () => undefined;
      export { none as convertToV1FromAnthropicInput, none as convertToV1FromChatCompletionsInput };
      export { none as convertToV1FromDataContent };
    `,
  },
  // Streams of everything that happens in a graph: we ask a graph for its state.
  {
    path: /\/tracers\/(?:log|event)_stream\.js$/,
    importer: /\/@langchain\/core\/dist\/runnables\//u,
    contents: `
      class Refused { constructor() { (${refuse('A stream of events of LangChain')})(); } }
      export { Refused as LogStreamCallbackHandler, Refused as EventStreamCallbackHandler };
      export { Refused as RunLog, Refused as RunLogPatch };
      export const isLogStreamHandler = () => false;
      export const isStreamEventsHandler = () => false;
    `,
  },
  // Schemas of states and tools, drawn and described: our states are plain types.
  {
    path: /(?:^@langchain\/core|\.)\/utils\/json_schema(?:\.js)?$/,
    importer: /\/@langchain\//u,
    contents: `
      const none = ${refuse('A schema of LangChain')};
      export { none as toJsonSchema, none as validatesOnlyStrings };
    `,
  },
  // Models that only choose between two texts.
  {
    path: /^@ai-sdk\/provider-utils\/experimental-decision$/,
    importer: /\/@ai-sdk\//u,
    contents: `export class Experimental_DecisionLanguageModel { constructor() { (${refuse('A decision model')})(); } }`,
  },
  // Of the parser of YAML what reads; in the form that can be divided. We write no YAML.
  {
    path: /^yaml$/,
    importer: /\/src\/setup\/actions\//u,
    contents: `
      export { isAlias, isMap, isScalar, isSeq } from './node_modules/yaml/browser/dist/nodes/identity.js';
      export { parseDocument } from './node_modules/yaml/browser/dist/public-api.js';
      export { Lexer } from './node_modules/yaml/browser/dist/parse/lexer.js';
    `,
  },
  {
    path: /\/stringify\/\w+\.js$/,
    importer: /\/yaml\/browser\/dist\/(?:doc|nodes|schema|parse)\//u,
    contents: `
      const none = ${refuse('Writing YAML')};
      export { none as createStringifyContext, none as stringifyCollection, none as stringifyDocument };
      export { none as stringifyNumber, none as stringifyPair, none as stringifyString };
    `,
  },
  // The library's former version, for schemas that are written with it.
  {
    path: /^zod\/v3$/,
    importer: /\/@langchain\//u,
    contents: "export * from 'zod/v4'; export { z } from 'zod/v4';",
  },
  // The default provider, for models that are named by a text. Ours are made by their own providers.
  {
    path: /^@ai-sdk\/gateway$/,
    importer: /\/ai\//u,
    contents: `
      const none = ${refuse('The gateway of the AI SDK')};
      export { none as createGateway, none as gateway };
      export class GatewayError extends Error { static isInstance() { return false; } }
      export class GatewayAuthenticationError extends GatewayError {}
    `,
  },
  // Octokit's methods by name, signing in people, and webhooks: we send requests by their routes, as a token or an App.
  {
    path: /^@octokit\/plugin-rest-endpoint-methods$/,
    importer: /\/octokit\//u,
    contents: 'export const restEndpointMethods = () => ({});',
  },
  {
    path: /^@octokit\/plugin-paginate-graphql$/,
    importer: /\/octokit\//u,
    contents: 'export const paginateGraphQL = () => ({});',
  },
  {
    path: /^@octokit\/oauth-app$/,
    importer: /\/(?:octokit|@octokit\/app)\//u,
    contents: `
      const refused = ${refuse('Signing in to GitHub in a browser')};
      export class OAuthApp { static defaults() { return OAuthApp; } constructor() { refused(); } }
      export { refused as createNodeMiddleware, refused as createWebMiddleware, refused as handleRequest };
      export { refused as sendNodeResponse, refused as unknownRouteResponse };
    `,
  },
  {
    path: /^@octokit\/webhooks$/,
    importer: /\/@octokit\/app\//u,
    contents: `
      const refused = ${refuse("Octokit's server of webhooks")};
      export class Webhooks { constructor() { refused(); } }
      export { refused as createNodeMiddleware };
    `,
  },
];

interface CatalogueProvider {
  readonly id: string;
  readonly fallback_model_providers?: readonly string[];
  readonly models: readonly Readonly<Record<string, unknown>>[];
  readonly extractors?: unknown;
  readonly pricing_urls?: unknown;
}

/** As the program asks for them (`src/adapters/prices`). */
const ourProviders = ['anthropic', 'google', 'openai'];

/**
 * The catalogue of prices lists forty providers; those that a model of ours can be named by are kept, with the ones that
 * they take prices from. What tells how to read an answer's usage is not asked for.
 */
function keepOurPrices(source: string): string {
  const [, list = ''] = /^const \w+ = (\[\n.*?\n\])[,;]/su.exec(source) ?? [];
  if (list === '') throw new Error('The catalogue of prices looks otherwise than it did.');
  const providers: CatalogueProvider[] = new Function(`return ${list}`)();
  const wanted = new Set(ourProviders);
  for (const { id, fallback_model_providers: more = [] } of providers)
    if (wanted.has(id)) for (const other of more) wanted.add(other);
  const kept = providers.filter(({ id }) => wanted.has(id));
  const missing = ourProviders.filter((id) => !kept.some((one) => one.id === id));
  if (missing.length > 0) throw new Error(`The catalogue of prices has no ${missing.join(', ')}.`);
  const slim = kept.map(({ extractors: _e, pricing_urls: _u, models, ...rest }) => ({
    ...rest,
    models: models.map(({ description: _d, price_comments: _c, ...model }) => model),
  }));
  return source.replace(list, () => JSON.stringify(slim));
}

/** Classes of providers for what is no conversation: we ask for texts. */
const unusedModels: Readonly<Record<string, readonly string[]>> = {
  google: [
    'GoogleEmbeddingModel',
    'GoogleBatch',
    'GoogleImageModel',
    'GoogleFiles',
    'GoogleVideoModel',
    'GoogleSpeechModel',
    'GoogleInteractionsLanguageModel',
    'GoogleRealtimeEventMapper',
    'GoogleRealtimeModel',
    'GoogleTranscriptionModel',
    'GoogleSpeechTranslationModel',
  ],
  anthropic: ['AnthropicFiles', 'AnthropicBatch', 'AnthropicSkills'],
};

/** Schemas and tools that are made while the module loads; that does nothing else, so what is not used can go. */
const made = /(?<=^(?:var|const) \w+ = )(?=(?:lazySchema|lazyValidator|createProvider\w+|z\.\w+)\()/gmu;

/** Each class becomes one that says its name; what only it used is then left out by the bundler. */
function keepConversation(provider: string, source: string): string {
  const tools = `provider.tools = ${provider}Tools;`;
  if (!source.includes(tools)) throw new Error(`The tools of ${provider} look otherwise than they did.`);
  return (unusedModels[provider] ?? []).reduce(
    (rest, name) => {
      const whole = new RegExp(`^var ${name} = class[^]*?^\\};$`, 'mu');
      if (!whole.test(rest)) throw new Error(`${name} looks otherwise than it did.`);
      return rest.replace(whole, `var ${name} = class { constructor() { (${refuse(name)})(); } };`);
    },
    source.replace(tools, 'provider.tools = {};').replace(made, '/* @__PURE__ */ '),
  );
}

export const leaveOut: Plugin = {
  name: 'leave-out',
  setup: ({ onResolve, onLoad }) => {
    for (const [index, { path, importer }] of replacements.entries()) {
      onResolve({ filter: path }, (asked) =>
        importer.test(asked.importer) ? { path: String(index), namespace: 'leave-out' } : undefined,
      );
    }
    onLoad({ filter: /genai-prices\/dist\/index\.js$/ }, ({ path }) => ({
      contents: keepOurPrices(readFileSync(path, 'utf8')),
    }));
    onLoad({ filter: /@ai-sdk\/(?:google|anthropic)\/dist\/index\.js$/ }, ({ path }) => {
      const [, provider = ''] = /@ai-sdk\/(\w+)\//u.exec(path) ?? [];
      return { contents: keepConversation(provider, readFileSync(path, 'utf8')), resolveDir: dirname(path) };
    });
    onLoad({ filter: /.*/, namespace: 'leave-out' }, ({ path }) => ({
      contents: replacements[Number(path)]?.contents ?? '',
      resolveDir: root,
    }));
  },
};
