/** What the build showed, for the reviewer. */
import { fenceUntrusted } from '../../../../domain/text/fence-untrusted.ts';
import type { StateDocument } from '../document/state-document.ts';

export function describeBuild({ build }: StateDocument): string {
  const lines = build.commands_run.map(
    ({ command, exit_code, output }) => `$ ${command}\nexit code ${exit_code ?? 'unknown'}\n${output}`,
  );
  const ran = lines.length === 0 ? 'No command was run.' : fenceUntrusted('BUILD', lines.join('\n\n'));
  const known = build.failing_before ?? [];
  const before =
    known.length === 0
      ? []
      : [
          `Tests that fail without the change too, and are not held against it:\n${fenceUntrusted('FAILING BEFORE', known.join('\n'))}`,
        ];
  return [`What the build showed, run by the program itself:\n${ran}`, ...before].join('\n\n');
}
