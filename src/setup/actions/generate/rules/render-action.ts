/**
 * The text of the action that installs the program. It is the `action.yml` of this repository, for workflows that people
 * write, and a copy of it stands beside generated workflows: what they run is then of the same commit as they are.
 */
import { claudeCodeVersion, nodeVersion, usesOf } from './pinned.ts';

export interface ActionOptions {
  /** Of the package. */
  readonly version: string;
  /** A folder with the program, instead of the package. */
  readonly source: string | null;
}

/**
 * Nothing that is given stands in a script: inputs come as variables. Nothing comes from a cache of GitHub: npm keeps what
 * the registry said beside what it downloaded, so whoever may write to the cache would also name the hash to compare with.
 */
export function renderAction({ version, source }: ActionOptions): string {
  return `name: Gatewright
description: Installs Gatewright, so that the steps after it can run the command gatewright
inputs:
  version:
    description: The version of the package gatewright
    default: "${version}"
  claude-code:
    description: Whether to install the Claude Code CLI too (true or false)
    default: "false"
  source:
    description: A folder with a checkout or a package of Gatewright, instead of the package of the registry
    default: ${JSON.stringify(source ?? '')}
runs:
  using: composite
  steps:
    - uses: ${usesOf('actions/setup-node')}
      with:
        node-version: "${nodeVersion}"
        package-manager-cache: "false"
    # Ubuntu lets no program make the namespaces that a sandbox is made of; a machine of GitHub is thrown away after the job.
    - name: Let sandboxes be made
      if: runner.environment == 'github-hosted' && runner.os == 'Linux'
      shell: bash
      run: |
        if [ -e /proc/sys/kernel/apparmor_restrict_unprivileged_userns ]; then
          sudo -n sysctl --quiet --write kernel.apparmor_restrict_unprivileged_userns=0
        fi
    - name: Install Gatewright
      shell: bash
      env:
        GATEWRIGHT_VERSION: \${{ inputs.version }}
        GATEWRIGHT_SOURCE: \${{ inputs.source }}
        WITH_CLAUDE_CODE: \${{ inputs.claude-code }}
      run: |
        set -euo pipefail
        case "$GATEWRIGHT_VERSION" in
          ''|*[!0-9A-Za-z.+-]*) echo "::error::The input version names no version of the package."; exit 1 ;;
        esac
        programs="$RUNNER_TEMP/gatewright-programs"
        mkdir -p "$programs"
        set -- "\${GATEWRIGHT_SOURCE:-gatewright@$GATEWRIGHT_VERSION}"
        if [ "$WITH_CLAUDE_CODE" = true ]; then
          set -- "$@" @anthropic-ai/claude-code@${claudeCodeVersion}
        fi
        npm install --prefix "$programs" --no-audit --no-fund --no-save -- "$@"
        echo "$RUNNER_TEMP/gatewright-programs/node_modules/.bin" >> "$GITHUB_PATH"
`;
}
