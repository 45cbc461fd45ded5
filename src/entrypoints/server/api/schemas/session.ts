import { z } from 'zod';
import { moment, repositoryName } from './basics.ts';

export const openQuery = z.strictObject({ code: z.string().min(1).max(200) });

export const sessionSchema = z.object({
  actor: z.string().describe('Under whose name answers are recorded.'),
  repository: repositoryName,
  csrf: z.string().describe('Sent as x-gatewright-csrf with every change.'),
  endsAt: moment.describe('When it ends if it is not used.'),
  version: z.string(),
});

export const endedSchema = z.object({ ended: z.literal(true) });
