/** The commands that tell people something outside the forge. */
import type { Command } from './command.ts';
import { json, repo } from './table-options.ts';

export const notifyCommands: readonly Command[] = [
  {
    name: 'notify',
    about: 'Tell people outside the forge what waits and what has stopped, once',
    more: 'Does once what watch and serve do all the time: it tells what was not told yet, through the channels of docs/notifications.md, and exits with 1 if a channel did not take a message.',
    options: [repo, json],
    load: async () => (await import('../commands/notify/notify.ts')).tellNow,
  },
  {
    name: 'notify test',
    about: 'Send a test message and say what came of it',
    args: [{ name: 'CHANNEL', about: 'Only this channel', isOptional: true }],
    options: [repo, json],
    examples: [['gatewright notify test team', 'try the channel "team"']],
    load: async () => (await import('../commands/notify/notify.ts')).testChannels,
  },
];
