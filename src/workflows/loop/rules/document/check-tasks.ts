/**
 * What code can check about a task list before a person is asked to approve it: a task fits into one session of an agent,
 * every criterion can be checked by a program, and there is a command that checks it.
 */
import { foldLetters } from '../../../../domain/drafts/fold-words.ts';
import { showPath } from '../../../documents/json-tree.ts';
import type { LoopConfig } from '../planning/loop-config.ts';
import { judgeCriterion } from './judge-criterion.ts';
import type { Prd, UserStory } from './prd.ts';

export interface TaskFinding {
  readonly path: string;
  readonly message: string;
  readonly suggestion: string;
  /** Whether the plan goes back to the planner. */
  readonly isBlocking: boolean;
}

type Sizing = LoopConfig['execution']['taskSizing'];

const abbreviations =
  /\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|z\. ?b|d\. ?h|u\. ?a|bzw|ggf|inkl|usw|ca|nr|no)\./giu;

/** Sentences and items of lists; dots in names, numbers and abbreviations end none. */
export function countSentences(text: string): number {
  return text
    .replace(/`[^`]*`/gu, 'code')
    .replace(/^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]/gmu, '\n\n')
    .replace(abbreviations, 'abbreviation')
    .split(/[.!?…]+(?=["')\]”’»]?(?:\s|$))|\n\s*\n/u)
    .filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Words of a title that make it no smaller: what is done, articles, "new", "whole". */
const fillers = list(`
  build add create implement make refactor rewrite write develop design redesign improve fix update finish complete set
  up setup integrate introduce rework overhaul modernise modernize migrate do support enable provide handle
  bauen baue erstellen erstelle hinzufugen implementieren implementiere umbauen refaktorieren refactoren uberarbeiten
  entwickeln schreiben verbessern einfuhren umsetzen einbauen migrieren fertigstellen
  the a an our all some of and for with in to new whole entire full complete main basic initial simple
  der die das den dem ein eine einen und fur mit in neu neue neuen neues gesamte gesamten ganze ganzen komplette alle
  user users admin customer customers nutzer benutzer kunden
`);
/** Things that are a project and no task. */
const projects = list(`
  dashboard authentication auth authorization authorisation login api apis backend back-end frontend front-end app
  application website site ui ux interface database db system platform codebase code project everything feature
  features page pages screens module modules service services microservice microservices payment payments billing
  checkout shop store search notifications messaging chat reporting analytics admin-panel settings tests testing
  documentation docs infrastructure ci pipeline architecture server client mobile
  anwendung webseite website datenbank oberflache benutzeroberflache plattform anmeldung authentifizierung
  schnittstelle schnittstellen bezahlung zahlung suche benachrichtigungen verwaltung projekt alles funktionen
  system dokumentation architektur
`);

/** Whether a title names a whole project: nothing in it says which part. */
export function isTooBig(title: string): boolean {
  const words = foldLetters(title).match(/[a-z0-9]+(?:-[a-z0-9]+)*/gu) ?? [];
  const rest = words.filter((word) => !fillers.has(word));
  return rest.length > 0 && rest.length <= 3 && rest.every((word) => projects.has(word));
}

/** A command that ends well whatever the code does. */
function provesNothing(command: string): boolean {
  const plain = command.trim().replace(/[;\s]+$/u, '');
  return (
    /^(?::|true|exit(?: 0)?|\/bin\/true|(?:echo|printf)\b[^|&;`$<>]*)$/u.test(plain) ||
    /(?:\|\||;|(?<!&)&)\s*(?::|true|exit 0|\/bin\/true|(?:echo|printf)\b[^|&;`$<>]*)$/u.test(plain)
  );
}

function checkSize(story: UserStory, sizing: Sizing, at: (field: string) => string): TaskFinding[] {
  if (!sizing.enabled) return [];
  const isBlocking = sizing.hardFailOnOversized;
  const counted = [
    ['description', countSentences(story.description), sizing.maxDescriptionSentences, 'sentences'],
    ['acceptanceCriteria', story.acceptanceCriteria.length, sizing.maxAcceptanceCriteria, 'criteria'],
    ['verifyCommands', story.verifyCommands.length, sizing.maxVerifyCommands, 'commands'],
    ['files', story.files.length, sizing.maxFiles, 'files'],
  ] as const;
  const findings = counted
    .filter(([, count, most]) => count > most)
    .map(([field, count, most, name]) => ({
      path: at(field),
      message: `has ${count} ${name}; ${most} fit into one task`,
      suggestion: `Split ${story.id} so that each task can be done in one session.`,
      isBlocking,
    }));
  if (!isTooBig(story.title)) return findings;
  return [
    {
      path: at('title'),
      message: 'names a whole project, not one task',
      suggestion:
        'Split it: one migration, one endpoint, one component or the tests of one module for each task.',
      isBlocking,
    },
    ...findings,
  ];
}

function checkProof(story: UserStory, at: (field: string, place?: number) => string): TaskFinding[] {
  const findings: TaskFinding[] = [];
  if (story.verifyCommands.length === 0)
    findings.push({
      path: at('verifyCommands'),
      message: 'has no command that proves the task',
      suggestion: 'Add the command that runs its tests, for example "npm run test -- auth".',
      isBlocking: true,
    });
  story.verifyCommands.forEach((command, place) => {
    if (provesNothing(command))
      findings.push({
        path: at('verifyCommands', place),
        message: 'ends well whatever the code does',
        suggestion: 'Let the command fail when the task is not done.',
        isBlocking: true,
      });
  });
  if (story.acceptanceCriteria.length === 0)
    findings.push({
      path: at('acceptanceCriteria'),
      message: 'has no criterion',
      suggestion: 'Say what has to be true, for example "npm run typecheck passes".',
      isBlocking: true,
    });
  story.acceptanceCriteria.forEach((criterion, place) => {
    const verdict = judgeCriterion(criterion, story.verifyCommands);
    if (!verdict.isVerifiable) {
      const { message, suggestion } = verdict;
      findings.push({ path: at('acceptanceCriteria', place), message, suggestion, isBlocking: true });
    }
  });
  return findings;
}

/** All findings, task by task. A task that has passed is not judged again. */
export function checkTasks(
  prd: Pick<Prd, 'userStories'>,
  config: { readonly execution: { readonly taskSizing: Sizing } },
): TaskFinding[] {
  return prd.userStories.flatMap((story, index) => {
    if (story.passes) return [];
    const at = (field: string, place?: number): string =>
      showPath(['userStories', index, field, ...(place === undefined ? [] : [place])]);
    return [...checkSize(story, config.execution.taskSizing, at), ...checkProof(story, at)];
  });
}
