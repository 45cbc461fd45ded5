/** The form of a configuration file, for reading it and for editors that complete it. */
import { z } from 'zod';
import { largestBatch } from '../domain/fleet/merge-queue.ts';
import { checkLabelName } from '../domain/forge/label-table.ts';
import { authoringWorkflows } from '../domain/ledger/run.ts';
import { isRepositoryName } from '../domain/ledger/subject.ts';
import { sandboxDemands } from '../domain/machine/sandbox-demand.ts';
import { unpricedRules } from '../domain/models/budget.ts';
import { authoringRoles } from '../domain/models/model-choice.ts';
import { hasUnsafeCharacters } from '../domain/text/untrusted-text.ts';
import { fleetForms } from './fleet-forms.ts';
import { fileSettings } from './setting-rules.ts';

function about(key: string): { description: string } {
  const rule = fileSettings.find((one) => one.key === key);
  return { description: (rule?.about ?? key).replace(/^./u, (first) => first.toUpperCase()) };
}

const modelForms = {
  drafter:
    /^(?:(?:google|anthropic|openai|claude):[A-Za-z0-9][\w.:/@-]{0,199}|cassette:.{1,1000}|builtin:outline)$/u,
  reviewer:
    /^(?:(?:google|anthropic|openai):[A-Za-z0-9][\w.:/@-]{0,199}|cassette:.{1,1000}|builtin:checklist)$/u,
  codeReviewer: /^(?:(?:google|anthropic|openai|claude):[A-Za-z0-9][\w.:/@-]{0,199}|cassette:.{1,1000})$/u,
  writer: /^(?:(?:google|anthropic|openai|claude):[A-Za-z0-9][\w.:/@-]{0,199}|cassette:.{1,1000})$/u,
  coder: /^(?:claude:[A-Za-z0-9][\w.:/@-]{0,199}|cassette:.{1,1000})$/u,
  planner: /^(?:claude:[A-Za-z0-9][\w.:/@-]{0,199}|cassette:.{1,1000})$/u,
} as const;

const modelHints = {
  drafter: 'google:MODEL, anthropic:MODEL, openai:MODEL, claude:MODEL, cassette:FILE or builtin:outline',
  reviewer: 'google:MODEL, anthropic:MODEL, openai:MODEL, cassette:FILE or builtin:checklist',
  codeReviewer: 'google:MODEL, anthropic:MODEL, openai:MODEL, claude:MODEL or cassette:FILE',
  writer: 'google:MODEL, anthropic:MODEL, openai:MODEL, claude:MODEL or cassette:FILE',
  coder: 'claude:MODEL or cassette:FILE',
  planner: 'claude:MODEL or cassette:FILE',
} as const;

function modelName(role: keyof typeof modelForms, key: string) {
  return z
    .string(`has to be ${modelHints[role]}`)
    .regex(modelForms[role], `has to be ${modelHints[role]}`)
    .meta(about(key))
    .optional();
}

function rolesOf(prefix: string) {
  const [drafter, reviewer] = authoringRoles;
  return {
    [drafter]: modelName(drafter, `${prefix}.${drafter}`),
    [reviewer]: modelName(reviewer, `${prefix}.${reviewer}`),
  };
}

const makeModels = () =>
  z
    .strictObject(
      {
        ...rolesOf('models'),
        coder: modelName('coder', 'models.coder'),
        planner: modelName('planner', 'models.planner'),
        codeReviewer: modelName('codeReviewer', 'models.codeReviewer'),
        writer: modelName('writer', 'models.writer'),
        ...Object.fromEntries(
          authoringWorkflows.map((workflow) => [
            workflow,
            z.strictObject(rolesOf(`models.${workflow}`), 'has to be an object').optional(),
          ]),
        ),
      },
      'has to be an object',
    )
    .optional();

function amount(key: string, isWhole: boolean, least = 0, most = 1e12) {
  const words = `has to be a ${isWhole ? 'whole ' : ''}number of ${least} or more`;
  const number = isWhole ? z.int(words) : z.number(words);
  return number
    .min(least, words)
    .max(most, most === 1e12 ? 'is too large' : `may be ${most} at most`)
    .meta(about(key))
    .optional();
}

function limitsOf(scope: string) {
  return z
    .strictObject(
      {
        usd: amount(`budget.${scope}.usd`, false),
        tokens: amount(`budget.${scope}.tokens`, true),
        turns: amount(`budget.${scope}.turns`, true),
      },
      'has to be an object',
    )
    .optional();
}

const rate = () => {
  const words = 'has to be a number of 0 or more: US dollars for a million tokens';
  return z.number(words).min(0, words).max(1e6, 'is too large');
};

const makePrices = () =>
  z
    .record(
      z
        .string()
        .regex(
          /^(?:google|anthropic|openai|claude):[A-Za-z0-9][\w.:/@-]{0,199}$/u,
          'has to be google:MODEL, anthropic:MODEL, openai:MODEL or claude:MODEL',
        ),
      z.strictObject(
        { input: rate(), output: rate(), cacheRead: rate().optional(), cacheWrite: rate().optional() },
        'has to be an object with input and output',
      ),
      'has to be an object of models',
    )
    .meta(about('prices'))
    .optional();

function isLabelName(name: string): boolean {
  try {
    return checkLabelName(name) === name;
  } catch {
    return false;
  }
}

const makeLabel = () =>
  z.strictObject(
    {
      name: z
        .string('has to be a text')
        .refine(isLabelName, 'has to be 1 to 50 visible characters without commas or outer spaces'),
      colour: z
        .string('has to be a text')
        .regex(/^[0-9a-fA-F]{6}$/u, 'has to be six hexadecimal digits, such as d73a4a')
        .optional(),
      description: z
        .string('has to be a text')
        .max(100, 'may have 100 characters')
        .refine((text) => !hasUnsafeCharacters(text) && !text.includes('\n'), 'has to be one visible line')
        .optional(),
    },
    'has to be an object with a name',
  );

/** The settings of the agents, from the table that variables are checked against too. */
const makeFleet = () =>
  z
    .strictObject(
      {
        sandbox: z
          .enum(sandboxDemands, 'has to be "prefer" or "require"')
          .meta(about('fleet.sandbox'))
          .optional(),
        ...Object.fromEntries(
          fleetForms.map(({ name, most, isRight, words, oneOf }) => {
            const one =
              oneOf === undefined
                ? z.string(`has to be ${words}`).refine(isRight, `has to be ${words}`)
                : z.enum(oneOf, `has to be ${words}`);
            const all = most === null ? one : z.array(one, 'has to be a list').max(most, `may have ${most}`);
            return [name, all.meta(about(`fleet.${name}`)).optional()];
          }),
        ),
      },
      'has to be an object',
    )
    .optional();

const makeConfigSchema = () =>
  z
    .strictObject(
      {
        $schema: z
          .string('has to be a text')
          .max(1000, 'is too long')
          .meta({ description: 'Where editors find this schema; Gatewright does not read it' })
          .optional(),
        forge: z
          .strictObject(
            {
              kind: z
                .enum(['local', 'github'], 'has to be "local" or "github"')
                .meta(about('forge.kind'))
                .optional(),
              repository: z
                .string('has to be owner/name')
                .refine(isRepositoryName, 'has to be owner/name')
                .meta(about('forge.repository'))
                .optional(),
              apiUrl: z.string('has to be an address').meta(about('forge.apiUrl')).optional(),
            },
            'has to be an object',
          )
          .optional(),
        models: makeModels(),
        budget: z
          .strictObject(
            {
              run: limitsOf('run'),
              issue: limitsOf('issue'),
              day: limitsOf('day'),
              unpriced: z
                .enum(unpricedRules, 'has to be "allow", "ask" or "refuse"')
                .meta(about('budget.unpriced'))
                .optional(),
            },
            'has to be an object',
          )
          .optional(),
        prices: makePrices(),
        limits: z
          .strictObject(
            {
              iterations: amount('limits.iterations', true, 1),
              modelSeconds: amount('limits.modelSeconds', true, 1),
              testsAtOnce: amount('limits.testsAtOnce', true, 1, largestBatch),
            },
            'has to be an object',
          )
          .optional(),
        fleet: makeFleet(),
        labels: z
          .array(makeLabel(), 'has to be a list')
          .max(100, 'may have 100 labels')
          .meta(about('labels'))
          .optional(),
      },
      'has to be an object: { … }',
    )
    .meta({
      title: 'Gatewright configuration',
      description: 'gatewright.config.json in a repository, or config.json in the folder of your settings',
    });

let made: ReturnType<typeof makeConfigSchema> | undefined;

/** Made when it is wanted: most repositories have no file, and making it takes longer than all else about settings. */
export function configSchema(): ReturnType<typeof makeConfigSchema> {
  made ??= makeConfigSchema();
  return made;
}

export function makeJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(configSchema(), { target: 'draft-7', io: 'input' });
}
