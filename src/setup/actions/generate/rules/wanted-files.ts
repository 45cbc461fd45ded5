/** Every file that GitHub Actions mode takes, with its content, from the options alone. */
import type { AgentName } from '../../../../domain/fleet/agent-names.ts';
import { workflowFileOf } from '../../../../domain/fleet/workflow-files.ts';
import type { ActionsAgent } from './actions-agent.ts';
import { type ActionOptions, renderAction } from './render-action.ts';
import { actionFolder, renderWorkflow, type WorkflowOptions } from './render-workflow.ts';
import { type CommentForm, lineComment, markdownComment } from './section.ts';
import { agentSection, ignoredOfTemplate, renderIssueForms } from './sections.ts';
import { stamp } from './stamp.ts';

export interface ActionsOptions extends WorkflowOptions, ActionOptions {}

export type WantedActionsFile =
  | { readonly path: string; readonly kind: 'whole'; readonly content: string }
  | {
      readonly path: string;
      readonly kind: 'section';
      readonly content: string;
      readonly form: CommentForm;
      /** Only where the file is there already. */
      readonly isOptional: boolean;
    };

export const actionFile = `${actionFolder}/action.yml`;

export const workflowPathOf = (agent: AgentName): string => `.github/workflows/${workflowFileOf(agent)}`;

export function wantedFiles(
  agents: readonly ActionsAgent<AgentName>[],
  options: ActionsOptions,
): WantedActionsFile[] {
  const whole = (path: string, body: string): WantedActionsFile => ({
    ...{ path, kind: 'whole', content: stamp(body) },
  });
  const section = (
    path: string,
    content: string,
    form: CommentForm,
    isOptional = false,
  ): WantedActionsFile => ({
    ...{ path, kind: 'section', content, form, isOptional },
  });
  const text = agentSection(options.handle);
  return [
    ...agents
      .filter(({ name }) => options.agents.includes(name))
      .map((agent) => whole(workflowPathOf(agent.name), renderWorkflow(agent, options))),
    whole(actionFile, `${writeChoice(options)}\n${renderAction(options)}`),
    ...Object.entries(renderIssueForms(options.handle)).map(([path, body]) => whole(path, body)),
    section('CLAUDE.md', text, markdownComment),
    section('AGENTS.md', text, markdownComment, true),
    section('.templatesyncignore', ignoredOfTemplate, lineComment),
  ];
}

const choiceMark = '# gatewright-options ';

/** What was chosen, so that the files can be written anew without naming it again. */
function writeChoice({ agents, runner, source }: ActionsOptions): string {
  return `${choiceMark}${JSON.stringify({ agents, runner, ...(source === null ? {} : { source }) })}`;
}

/** The choice as it stands in the file of the action: text of the repository, not checked yet. Null where there is none. */
export function readChoice(text: string): unknown {
  const line = text.split('\n').find((one) => one.startsWith(choiceMark));
  try {
    return line === undefined ? null : JSON.parse(line.slice(choiceMark.length));
  } catch {
    return null;
  }
}
