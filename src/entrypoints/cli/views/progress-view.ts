/** Shows a run as it goes, the way a person at a terminal follows it. */

import type { AuthoringWorkflow } from '../../../domain/ledger/run.ts';
import { money } from '../../../domain/text/money.ts';
import { escapeForLine, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import type { Progress } from '../../../ports/progress.ts';
import { clockTime } from './format.ts';
import { rule, type Terminal } from './terminal.ts';

const previewLines = 12;

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function block(terminal: Terminal, ...lines: string[]): void {
  terminal.say(rule);
  for (const line of lines) terminal.say(line);
  terminal.say(rule);
}

function preview(text: string): string {
  const lines = escapeForTerminal(text).trim().split('\n');
  const more = lines.length - previewLines;
  return [
    ...lines.slice(0, previewLines),
    ...(more > 0 ? [`… ${more} more ${more === 1 ? 'line' : 'lines'}`] : []),
  ].join('\n');
}

const passed: Readonly<Record<string, string>> = {
  verdict: 'VERDICT PASSED',
  person: 'VERDICT PASSED, as you edited it',
};

const movedNames = { lineage: 'Audit trail', idea: 'Idea', superseded: 'Earlier design' } as const;

/** Names of gates where no person edits anything. */
const unattendedNames: Readonly<Record<string, string>> = {
  N3_human_edit_draft: 'N3_draft_gate',
  N5_human_edit_verdict: 'N5_verdict_gate',
};

export function makeProgressView(
  terminal: Terminal,
  forge: string,
  workflow: AuthoringWorkflow,
  isUnattended = false,
): Progress {
  const step = (text: string): void => terminal.say(`>>> ${text}`);
  const timed = (text: string): void => terminal.say(`[${clockTime(new Date())}] ${text}`);
  const showRoute = (by: string, next: 'finish' | 'revise'): void => {
    if (next === 'revise') {
      block(terminal, terminal.style('yellow', 'VERDICT HAS FEEDBACK'));
      step('Auto-revising the draft (N2)...');
      return;
    }
    block(terminal, terminal.style('green', passed[by] ?? `Approved by policy: ${by}`));
    step(
      workflow === 'issue' ? `Auto-filing issue to ${forge} (N6)...` : 'Saving the approved design (N6)...',
    );
  };
  return (event) => {
    terminal.endWait();
    switch (event.kind) {
      case 'node':
        return step(
          terminal.style(
            'bold',
            `Executing: ${(isUnattended ? unattendedNames[event.node] : undefined) ?? event.node}`,
          ),
        );
      case 'warning':
        return terminal.say(`${terminal.style('yellow', 'Note:')} ${escapeForTerminal(event.message)}`);
      // Coding agents work in the fleet, which has a view of its own.
      case 'working':
        return;
      case 'checked':
        return terminal.say(
          `    ${event.ok ? terminal.style('green', '✓') : terminal.style('red', '✗')} ${event.name}: ${escapeForLine(event.detail)}`,
        );
      case 'calling':
        timed(`Calling ${escapeForLine(event.model)} ${event.purpose}...`);
        return terminal.wait(`waiting for ${event.model} ${event.purpose}`);
      case 'answered': {
        const cost = event.isUnpriced
          ? ', price unknown'
          : event.costUsd > 0
            ? `, ${money(event.costUsd)}`
            : '';
        return timed(
          `${event.role === 'drafter' ? 'Draft' : `${capitalise(escapeForLine(event.model))} response`} received (${Math.round(event.seconds)}s${cost})`,
        );
      }
      case 'saved':
        // Other events already report the other files.
        if (event.what !== 'draft' && event.what !== 'feedback') return;
        return terminal.say(`${capitalise(event.what)} saved to: ${event.path}`);
      case 'verdict':
        block(terminal, `Verdict of ${escapeForLine(event.reviewer)}`);
        terminal.say(preview(event.text));
        return block(terminal, `Full verdict saved to: ${event.path}`);
      case 'routed':
        return showRoute(event.by, event.next);
      case 'filing':
        timed(`Filing issue to ${forge}...`);
        step(`Title: ${escapeForLine(event.title, 256)}`);
        step(`Labels: ${event.labels.map((label) => escapeForLine(label)).join(', ') || 'none'}`);
        step(`Repo: ${event.repository}`);
        return terminal.wait(`waiting for ${forge} to file the issue`);
      case 'filed':
        return step(terminal.style('green', `Issue created: ${terminal.link(event.url)}`));
      case 'approved':
        return step(terminal.style('green', `Design of #${event.number} saved to: ${event.path}`));
      case 'moved':
        return step(`${movedNames[event.what]} moved to: ${event.to}`);
      case 'recorded':
        return step(`Recorded to: ${escapeForLine(event.file, 1000)}`);
      case 'committed':
        return step(`Committed audit trail for #${event.number}`);
    }
  };
}
