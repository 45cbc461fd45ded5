/** What the API answers, as its own schemas have it: types only, so that no schema comes to the browser. */
import type { z } from 'zod';
import type {
  answerBody,
  answeredSchema,
  gateDetailSchema,
  gateSchema,
} from '../../entrypoints/server/api/schemas/gates.ts';
import type { entrySchema, ledgerSchema, newsSchema } from '../../entrypoints/server/api/schemas/ledger.ts';
import type { costsSchema, fleetSchema, inboxSchema } from '../../entrypoints/server/api/schemas/overview.ts';
import type { problemSchema } from '../../entrypoints/server/api/schemas/problem.ts';
import type {
  runDetailSchema,
  runSchema,
  runsSchema,
  timelineSchema,
} from '../../entrypoints/server/api/schemas/runs.ts';
import type { sessionSchema } from '../../entrypoints/server/api/schemas/session.ts';

export type Answered = z.output<typeof answeredSchema>;
export type AnswerBody = z.input<typeof answerBody>;
export type Costs = z.output<typeof costsSchema>;
export type Entry = z.output<typeof entrySchema>;
export type Fleet = z.output<typeof fleetSchema>;
export type Gate = z.output<typeof gateSchema>;
export type GateDetail = z.output<typeof gateDetailSchema>;
export type Inbox = z.output<typeof inboxSchema>;
export type Ledger = z.output<typeof ledgerSchema>;
export type News = z.output<typeof newsSchema>;
export type Problem = z.output<typeof problemSchema>;
export type Run = z.output<typeof runSchema>;
export type RunDetail = z.output<typeof runDetailSchema>;
export type Runs = z.output<typeof runsSchema>;
export type Session = z.output<typeof sessionSchema>;
export type Timeline = z.output<typeof timelineSchema>;
