/** The request of a run that plays or forks a recorded one: what it is about is the recorded run's, the rest is its own. */

import type { AuthoringRequest } from '../../../domain/ledger/run.ts';
import { briefSubject, issueSubject, type Subject } from '../../../domain/ledger/subject.ts';
import type { Recording } from '../../../domain/recordings/recording.ts';
import type { AuthoringTools } from '../../../runs/house.ts';
import { readHome } from '../read-home.ts';

type Own = Pick<AuthoringRequest, 'slug' | 'drafter' | 'reviewer' | 'strict' | 'maxIterations'>;

export async function makeRequest(
  house: AuthoringTools,
  record: Recording,
  brief: string,
  own: Own,
): Promise<{ request: AuthoringRequest; subject: Subject }> {
  const { ledger, repositoryName } = house;
  const { issue, context } = record;
  return {
    request: {
      workflow: record.workflow,
      title: record.title,
      forge: house.forge.kind,
      repository: repositoryName,
      root: house.repository.root,
      ...(await readHome(house)),
      brief,
      briefHash: await ledger.putText(record.brief.text),
      ...(issue === undefined ? {} : { issue }),
      ...(context === undefined ? {} : { contextHash: await ledger.putText(context) }),
      dryRun: false,
      ...own,
    },
    subject:
      issue === undefined
        ? briefSubject(repositoryName, own.slug)
        : issueSubject(repositoryName, issue.number),
  };
}
