/** What template-sync is for, what wakes it and how far it may go. */
import type { Manifest } from '../manifest.ts';

export const templateSyncManifest: Manifest<'template-sync'> = {
  name: 'template-sync',
  purpose: 'Brings over what changed in the template that the repository was made from.',
  triggers: [{ schedule: { weekday: 1, hour: 0, minute: 0 } }],
  model: 'none',
  turns: 0,
  may: {
    'push-branch': 1,
    'create-pull-request': 1,
    'create-issue': 1,
    'create-comment': 1,
    'edit-labels': 1,
    'ensure-label': 3,
  },
  help: {
    does: 'Compares with the template that fleet.template names and proposes what changed there as a pull request labelled "template_sync". What .templatesyncignore lists is left alone.',
    stops:
      'When there is no template or nothing new. What does not fit is left out, named in the pull request, and makes it "conflict". One that somebody else has pushed to is left to them.',
    holdBack: 'List paths in .templatesyncignore, or close the pull request: that declines what is in it.',
    never: 'Resolves a conflict by guessing, or merges what it brought.',
  },
};
