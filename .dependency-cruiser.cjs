// The walls of the house: which room may import which. docs/architecture.md explains them.
const rooms = {
  domain: [],
  ports: ['domain'],
  config: ['domain'],
  effects: ['domain', 'ports'],
  adapters: ['domain', 'ports'],
  runs: ['domain', 'ports', 'effects'],
  agents: ['domain', 'ports', 'runs'],
  workflows: ['domain', 'ports', 'runs'],
  fleet: ['domain', 'ports', 'runs', 'agents', 'workflows'],
  setup: ['domain', 'ports', 'runs'],
  entrypoints: ['domain', 'ports', 'config', 'runs', 'workflows', 'fleet', 'setup'],
};

/** What agents say of themselves: pure, and open to the entrypoints. */
const manifests = ['^src/agents/manifest\\.ts$', '^src/agents/[^/]+/manifest\\.ts$'];

/** What decides from facts alone: `rules/` anywhere, and the forms of documents that several workflows read. */
const rules = ['^src/.*/rules/', '^src/workflows/documents/'];

/** Single files of another room that a room may import beside its own rooms. */
const openFiles = { entrypoints: [...manifests, '^src/agents/(agents|schedules)\\.ts$'] };

const walls = Object.entries(rooms).map(([room, allowed]) => ({
  name: `wall-of-${room}`,
  comment: `${room} may import ${allowed.length === 0 ? 'no other room' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: '\\.test\\.ts$' },
  to: {
    path: '^src/',
    pathNot: [
      `^src/${room}/`,
      '^src/errors\\.ts$',
      ...allowed.map((one) => `^src/${one}/`),
      ...(openFiles[room] ?? []),
    ],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...walls,
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    },
    {
      name: 'sources-do-not-import-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|scripts)/|\\.test\\.ts$' },
    },
    {
      name: 'langgraph-in-two-places',
      comment:
        'LangGraph is slow to load; only the graphs, what runs them and their checkpoints know it (types aside)',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '(/graph\\.ts|/graph-run\\.ts|/(?:git|sqlite)-checkpoints\\.ts|\\.test\\.ts)$',
      },
      to: { path: 'node_modules/@langchain/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'octokit-in-one-place',
      comment:
        'Octokit is slow to load; only the GitHub adapter knows it, and only the composition root loads that',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/adapters/github/' },
      to: { path: 'node_modules/(@octokit|octokit)/' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^crypto$' },
    },
    {
      name: 'manifests-and-rules-are-pure',
      comment: 'A manifest and a rule decide from facts: they import the domain and each other',
      severity: 'error',
      from: { path: [...manifests, ...rules], pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: ['^src/domain/', '^src/errors\\.ts$', ...manifests, ...rules, 'node_modules/'],
      },
    },
    {
      name: 'an-agent-knows-no-other',
      comment: 'What two agents need stands in a named folder beside them',
      severity: 'error',
      from: { path: '^src/agents/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/agents/[^/]+/', pathNot: '^src/agents/($1|pull-requests|reports|stops)/' },
    },
    {
      name: 'schemas-of-the-api-stand-alone',
      comment:
        'A browser takes the forms of requests and answers from this drawer, so nothing else comes with it',
      severity: 'error',
      from: { path: '^src/entrypoints/server/api/schemas/' },
      to: { pathNot: ['^src/entrypoints/server/api/schemas/', 'node_modules/zod/'] },
    },
    {
      name: 'pages-know-only-the-schemas-of-the-api',
      comment:
        'A page takes types from them, and the table of addresses; zod itself stays out of the browser',
      severity: 'error',
      from: { path: '^src/web/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/', pathNot: ['^src/web/', '^src/entrypoints/server/api/schemas/'] },
    },
    {
      name: 'pages-take-types-of-schemas-only',
      severity: 'error',
      from: { path: '^src/web/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^src/entrypoints/server/api/schemas/|node_modules/zod/',
        pathNot: '/page-addresses\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pages-run-in-a-browser',
      severity: 'error',
      from: { path: '^src/web/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-pages-know-react',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/web/' },
      to: { path: '^src/web/|node_modules/(react|react-dom)/' },
    },
    {
      name: 'only-the-api-knows-its-router',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/entrypoints/server/api/make-api\\.ts$' },
      to: { path: 'node_modules/hono/' },
    },
    {
      name: 'the-receiver-knows-no-api',
      comment: 'What receives deliveries loads nothing of what answers people',
      severity: 'error',
      from: { path: '^src/entrypoints/server/webhook/' },
      to: { path: '^src/entrypoints/server/api/' },
    },
    {
      name: 'the-fleet-knows-no-agent',
      comment: 'the fleet meets agents through their list and their manifests',
      severity: 'error',
      from: { path: '^src/fleet/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/agents/[^/]+/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
