/** Which repository a delivery is about, by name and by the number that stays when it is renamed. */

export interface DeliveryPlace {
  readonly name: string;
  /** Null when the delivery does not say. */
  readonly id: string | null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Null for what is about no repository, such as an organisation. */
export function placeOfDelivery(payload: unknown): DeliveryPlace | null {
  const repository = isRecord(payload) ? payload.repository : null;
  if (!isRecord(repository) || typeof repository.full_name !== 'string') return null;
  const { id, full_name: name } = repository;
  return { name, id: typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : null };
}

/**
 * How a delivery's repository relates to ours. The number decides, not the name: another repository can take the name.
 */
export function relatePlace(
  place: DeliveryPlace | null,
  home: { readonly name: string; readonly id: string },
): 'ours' | 'renamed' | 'name-taken' | 'another' {
  if (place === null) return 'another';
  const isNamed = place.name.toLowerCase() === home.name.toLowerCase();
  if (place.id === null) return isNamed ? 'ours' : 'another';
  if (place.id === home.id) return isNamed ? 'ours' : 'renamed';
  return isNamed ? 'name-taken' : 'another';
}
