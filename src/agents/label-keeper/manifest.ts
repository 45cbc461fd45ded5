/** What label-keeper is for and how far it may go. It is no agent that people switch on or off. */
import type { Manifest } from '../manifest.ts';

export const labelKeeperManifest: Manifest<'label-keeper'> = {
  name: 'label-keeper',
  purpose:
    'Reverts label changes that were not permitted, and reports programs that keep ordering each other.',
  triggers: [],
  guards: ['labeled', 'unlabeled'],
  model: 'none',
  turns: 0,
  may: { 'edit-labels': 1, 'create-comment': 3 },
  help: {
    does: 'Reverts the change of a label that was set or removed without permission or in the wrong order, and comments why, once for each label. When programs have given too many orders in a row, it asks for a person, once.',
    stops: 'It changes labels once and comments once for an event.',
    holdBack: 'It cannot be switched off. Ask a person with write permission to change the label.',
    never: 'Changes a label that Gatewright does not know, or reverts a permitted change.',
  },
};
