/**
 * The effects of one run: the repository and the forge perform them, and the ledger records them under the run's lease.
 */
import type { EffectAllowance } from '../domain/ledger/effect.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import { EffectRunner } from '../effects/effect-runner.ts';
import { makePerformers } from '../effects/performers.ts';
import type { Effects } from '../ports/effects.ts';
import type { Fence } from '../ports/ledger.ts';
import type { NotificationChannel } from '../ports/notifications/notification-channel.ts';
import type { RepositoryAccess } from './house.ts';

interface EffectsOfRun {
  readonly run: string;
  readonly subject: Subject;
  readonly fence: Fence;
  readonly allowance: EffectAllowance;
  readonly dryRun: boolean;
  /** Of what tells people; missing where a run does not. */
  readonly channels?: ReadonlyMap<string, NotificationChannel>;
}

export function makeEffects(
  house: Pick<
    RepositoryAccess,
    'repository' | 'forge' | 'transport' | 'ledger' | 'actor' | 'signingKey' | 'half' | 'workflows'
  >,
  ofRun: EffectsOfRun,
): Effects {
  const { repository, forge, transport, ledger, actor, signingKey, workflows } = house;
  const performers = makePerformers({
    repository,
    forge,
    transport,
    texts: ledger,
    ...(workflows === undefined ? {} : { workflows }),
    ...(ofRun.channels === undefined ? {} : { channels: ofRun.channels }),
  });
  const isHeldBack = house.half?.kind === 'asks';
  return new EffectRunner({ ...ofRun, ledger, performers, signingKey, actor, isHeldBack });
}
