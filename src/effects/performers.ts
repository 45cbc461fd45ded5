/** Every kind of effect with its performer. */
import type { EffectKind } from '../domain/ledger/effect.ts';
import type { Forge } from '../ports/forge/forge.ts';
import type { WorkflowStarter } from '../ports/forge/workflow-starter.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { NotificationChannel } from '../ports/notifications/notification-channel.ts';
import type { Repository } from '../ports/repository.ts';
import type { Transport } from '../ports/transport.ts';
import { makeForgePerformers } from './forge-performers.ts';
import { makeNotificationPerformers } from './notification-performers.ts';
import type { Performer } from './performer.ts';
import { makeRepositoryPerformers } from './repository-performers.ts';
import { makeWorkflowPerformers } from './workflow-performers.ts';

export type Performers = { readonly [K in EffectKind]: Performer<K> };

interface World {
  readonly repository: Repository;
  readonly forge: Forge;
  readonly transport: Transport;
  readonly texts: Pick<Ledger, 'getText'>;
  /** Missing where the forge runs none. */
  readonly workflows?: WorkflowStarter;
  /** Missing where people are told nothing outside the forge. */
  readonly channels?: ReadonlyMap<string, NotificationChannel>;
}

export function makePerformers({
  repository,
  forge,
  transport,
  texts,
  workflows,
  channels,
}: World): Performers {
  return {
    ...makeRepositoryPerformers(repository, texts),
    ...makeForgePerformers(forge, transport, texts),
    ...makeWorkflowPerformers(workflows),
    ...makeNotificationPerformers(channels, texts),
  };
}
