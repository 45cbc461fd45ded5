/** Through what the contexts of agents and workflows reach the world; a context has some of them. */
export const contextPorts = [
  'forge',
  'trees',
  'files',
  'workspaces',
  'templates',
  'transport',
  'commands',
  'views',
  'ledger',
  'models',
  'learnings',
  'prompts',
  'clock',
] as const;

export type ContextPort = (typeof contextPorts)[number];

/** Methods that return their answer at once, and not a promise. */
export const synchronousMethods: Readonly<Partial<Record<ContextPort, readonly string[]>>> = {
  models: ['titleOf'],
  clock: ['now'],
};

const calls: readonly string[] = ['effects', 'record', 'note', 'handOn', 'once', 'withLease', 'progress'];

/** The members of a context that are plain data: a replay gets them from the head of the tape. */
export function dataOfContext(context: object): Record<string, unknown> {
  const reaching: readonly string[] = [...contextPorts, ...calls];
  return Object.fromEntries(Object.entries(context).filter(([name]) => !reaching.includes(name)));
}
