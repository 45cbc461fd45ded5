/** Errors about telling people outside the forge. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const notificationErrors = {
  'notification-failed': {
    retry: 'later',
    meaning: 'A channel of notifications could not be reached, or did not take a message for the moment.',
    hint: 'Gatewright tries again by itself. See what is wrong with: gatewright notify test',
  },
  'notification-refused': {
    retry: 'after-human',
    meaning: 'A channel of notifications refuses a message, or its settings cannot be used.',
    hint: 'Correct its settings (docs/notifications.md), then try: gatewright notify test',
  },
} as const satisfies Record<string, CatalogueEntry>;
