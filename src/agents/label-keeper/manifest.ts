/** What label-keeper is for and how far it may go. It is no agent that people switch on or off. */
import type { Manifest } from '../manifest.ts';

export const labelKeeperManifest: Manifest<'label-keeper'> = {
  name: 'label-keeper',
  purpose:
    'Puts back what was done to labels without the right to, and says when programs order each other around.',
  triggers: [],
  guards: ['labeled', 'unlabeled'],
  model: 'none',
  turns: 0,
  may: { 'edit-labels': 1, 'create-comment': 1 },
  help: {
    does: 'Puts a label back that was set or removed without the right to, or out of turn, and says why, once for each label. When programs have given too many orders in a row, it asks for a person, once.',
    stops: 'After one change of labels and one comment.',
    holdBack: 'It cannot be switched off. Ask a person with write permission to change the label.',
    never: 'Touches a label that Gatewright does not know, or the change of a person who may make it.',
  },
};
