/** The ledger of a subject, and what is new on it as it happens. */
import type { LedgerEntry } from '../../../../domain/ledger/ledger-entry.ts';
import { isSubjectOf } from '../../../../domain/ledger/subject.ts';
import { escapeForJson } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import type { ApiTools } from '../api-tools.ts';
import {
  type EntryAnswer,
  entrySchema,
  eventsQuery,
  ledgerQuery,
  ledgerSchema,
  linesQuery,
  newsSchema,
} from '../schemas/ledger.ts';
import { defineRoute, defineStream, type Route } from './route.ts';

function renderEntry(entry: LedgerEntry): EntryAnswer {
  const { subject, seq, at, kind, run, actor, key = null, data, previous, hash } = entry;
  return { subject, seq, at, kind, run, actor, key, data: { ...data }, previous, hash };
}

function requireOurs({ repositoryName }: ApiTools, subject: string): void {
  if (isSubjectOf(repositoryName, subject)) return;
  throw new GatewrightError('subject-not-found', 'This server has nothing about that subject.', {
    hint: `Subjects of ${repositoryName} begin with its name.`,
  });
}

const pageOfLines = 200;

/** A chain of any length takes the memory of one page: the next is read when the last was taken. */
function writeLines({ ledger }: ApiTools, subject: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let after = 0;
  return new ReadableStream({
    pull: async (controller) => {
      const entries = await ledger.readPart(subject, after, pageOfLines);
      const lines = entries.map((entry) => `${escapeForJson(JSON.stringify(renderEntry(entry)))}\n`);
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')));
      after = entries.at(-1)?.seq ?? after;
      if (entries.length < pageOfLines) controller.close();
    },
  });
}

export const ledgerRoutes: readonly Route[] = [
  defineRoute({
    path: '/api/ledger',
    name: 'showLedger',
    about: 'The chain of one subject, oldest first.',
    query: ledgerQuery,
    answer: ledgerSchema,
    handle: async ({ tools }, { query: { subject, after, limit } }) => {
      requireOurs(tools, subject);
      const found = await tools.ledger.readPart(subject, after, limit + 1);
      const entries = found.slice(0, limit);
      const next = found.length > limit ? (entries.at(-1)?.seq ?? null) : null;
      return { subject, entries: entries.map(renderEntry), next };
    },
  }),
  defineStream({
    path: '/api/ledger/lines',
    name: 'exportLedger',
    about: 'The chain of one subject as JSON Lines, as `gatewright ledger show --json` prints it.',
    mediaType: 'application/jsonl',
    query: linesQuery,
    answer: entrySchema,
    open: async ({ tools }, { subject }) => {
      requireOurs(tools, subject);
      return writeLines(tools, subject);
    },
  }),
  defineStream({
    path: '/api/events',
    name: 'listen',
    about:
      'Server-sent events: `entry` for each new entry of the ledger; `reset` when so much was missed that pages are better read anew; `beat` every 15 seconds, as long as the server is there. With Last-Event-ID it goes on where it was.',
    mediaType: 'text/event-stream',
    query: eventsQuery,
    answer: newsSchema,
    open: async ({ state, session, request }, { after = null }) => {
      // A browser that comes back says by itself what it saw last.
      const last = request.headers.get('last-event-id');
      return state.live.open(session, last !== null && /^\d{1,15}$/u.test(last) ? Number(last) : after);
    },
  }),
];
