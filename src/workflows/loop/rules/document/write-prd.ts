/** Writes a new prd.json: two spaces, the order of the workflow's document, a line break at the end. */
import { GatewrightError } from '../../../../errors.ts';
import { readPrd } from './prd.ts';
import type { formulas } from './prd-schema.ts';
import { makeTaskUid } from './task-uid.ts';

interface NewStory {
  readonly title: string;
  readonly description: string;
  readonly files: readonly string[];
  /** Places of other stories in the list, from 1. */
  readonly dependsOn: readonly number[];
  readonly priority: number;
  readonly phase?: string | number;
  readonly acceptanceCriteria: readonly string[];
  readonly verifyCommands: readonly string[];
}

export interface NewPrd {
  readonly project: string;
  readonly issueNumber: number;
  readonly branchName: string;
  readonly description: string;
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly formula: (typeof formulas)[number];
  readonly summaryEveryNTaskLogs: number;
  readonly userStories: readonly NewStory[];
  readonly globalVerifyCommands: readonly string[];
}

/** `US-001` for 1. */
export function makeStoryId(place: number): string {
  return `US-${String(place).padStart(3, '0')}`;
}

function writeStory(story: NewStory, issue: number, place: number): Record<string, unknown> {
  return {
    id: makeStoryId(place),
    uid: makeTaskUid({ issue, title: story.title, discoveredFrom: null, ordinal: place }),
    ...(story.phase === undefined ? {} : { phase: story.phase }),
    priority: story.priority,
    title: story.title,
    description: story.description,
    files: story.files,
    dependsOn: story.dependsOn.map(makeStoryId),
    discoveredFrom: null,
    discoverySource: null,
    acceptanceCriteria: story.acceptanceCriteria,
    verifyCommands: story.verifyCommands,
    passes: false,
    attempts: 0,
    lastAttempt: null,
  };
}

/** The text of a new file. Throws when what it was given makes no valid one. */
export function makePrd(input: NewPrd): string {
  const value = {
    project: input.project,
    issueNumber: input.issueNumber,
    branchName: input.branchName,
    description: input.description,
    generatedAt: input.generatedAt,
    status: 'approved',
    formula: input.formula,
    compaction: { taskLogCountSinceLastSummary: 0, summaryEveryNTaskLogs: input.summaryEveryNTaskLogs },
    userStories: input.userStories.map((story, index) => writeStory(story, input.issueNumber, index + 1)),
    globalVerifyCommands: input.globalVerifyCommands,
  };
  const text = `${JSON.stringify(value, null, 2)}\n`;
  const read = readPrd(text);
  if ('prd' in read) return text;
  throw new GatewrightError('prd-invalid', 'The plan makes no valid prd.json.', {
    details: read.problems.map(({ path, message }) => `${path} ${message}`.trim()),
  });
}
