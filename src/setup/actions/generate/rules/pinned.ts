/** Code of others that generated files run: each by the commit or the version that it was looked at. */

/** By name, with the commit of the version that stands behind it. */
const actions = {
  'actions/checkout': ['3d3c42e5aac5ba805825da76410c181273ba90b1', 'v7.0.1'],
  'actions/setup-node': ['820762786026740c76f36085b0efc47a31fe5020', 'v7.0.0'],
  'actions/upload-artifact': ['bbbca2ddaa5d8feaa63e36b76fdaad77386f024f', 'v7.0.0'],
  'actions/download-artifact': ['3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c', 'v8.0.1'],
} as const satisfies Readonly<Record<string, readonly [sha: string, version: string]>>;

export const actionsInUse: readonly string[] = Object.keys(actions);

/** As `uses:` names it, with the version for people in a comment. */
export function usesOf(name: keyof typeof actions): string {
  const [sha, version] = actions[name];
  return `${name}@${sha} # ${version}`;
}

/** Of Node.js, which runs the program. */
export const nodeVersion = '24';

/** Of the Claude Code CLI, which works as coding agent. The tests run against the same. */
export const claudeCodeVersion = '2.1.325';
