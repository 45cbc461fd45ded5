/** The session itself: whose it is, and its end. */
import { endedSchema, sessionSchema } from '../schemas/session.ts';
import { defineRoute, nothing, type Route } from './route.ts';

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    path: '/api/session',
    name: 'showSession',
    about: 'Who this is, and the token that every change has to carry.',
    answer: sessionSchema,
    handle: async ({ tools: { person, repositoryName, version }, state, session }) => ({
      actor: person.actor,
      repository: repositoryName,
      csrf: session.csrf,
      endsAt: state.sessions.endOf(session).toISOString(),
      version,
    }),
  }),
  defineRoute({
    path: '/api/session/end',
    name: 'endSession',
    about: 'Ends the session; everything that listens with it ends too.',
    body: nothing,
    answer: endedSchema,
    handle: async () => ({ ended: true as const }),
    headers: ({ state, session }) => ({ 'set-cookie': state.sessions.end(session) }),
  }),
];
