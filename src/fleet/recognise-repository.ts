/**
 * Which repository the name stands for. The ledger keeps the number that the forge gave it: so a renamed repository is
 * recognised, and another repository that took its name since is not mistaken for it.
 */
import { choreSubject, isSameRepository } from '../domain/ledger/subject.ts';
import { GatewrightError } from '../errors.ts';
import type { RepositoryIdentity } from '../ports/forge/forge.ts';
import { appendOnce } from '../runs/append-once.ts';
import type { FleetTools } from '../runs/house.ts';

type Place = Pick<FleetTools, 'ledger' | 'actor' | 'forge' | 'repositoryName'>;

async function note(
  { ledger, actor, repositoryName }: Place,
  kind: 'repository-identified' | 'repository-renamed',
  key: string,
  data: RepositoryIdentity,
): Promise<void> {
  const subject = choreSubject(repositoryName, 'identity');
  await appendOnce(ledger, [{ subject, run: '', actor, kind, key, data }]);
}

/** Throws `forge-moved` when the name belongs to another repository than the one that was worked on under it. */
export async function recogniseRepository(place: Place): Promise<RepositoryIdentity> {
  const { forge, ledger, repositoryName } = place;
  const identity = await forge.identify(repositoryName);
  const key = repositoryName.toLowerCase();
  if ((await ledger.find('repository-identified', key)) === null)
    await note(place, 'repository-identified', key, identity);
  const known = await ledger.find('repository-identified', key);
  if (known !== null && known.data.id !== identity.id)
    throw new GatewrightError(
      'forge-moved',
      `${repositoryName} is not the repository that Gatewright worked on under that name: that one was renamed or deleted, and another repository took the name.`,
    );
  await noteName(place, identity);
  return identity;
}

/** Records the present name of the repository whenever it changes, so that `status` can show it. */
export async function noteName(place: Place, identity: RepositoryIdentity): Promise<void> {
  const { ledger, repositoryName } = place;
  const entries = await ledger.readSubject(choreSubject(repositoryName, 'identity'));
  const names = entries.flatMap((entry) => (entry.kind === 'repository-renamed' ? [entry.data.name] : []));
  if (isSameRepository(names.at(-1) ?? repositoryName, identity.name)) return;
  await note(place, 'repository-renamed', `${repositoryName.toLowerCase()}/${names.length}`, identity);
}
