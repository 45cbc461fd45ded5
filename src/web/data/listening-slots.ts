/**
 * How many tabs of a browser listen. A browser has six connections to a server over HTTP; if each tab kept one, the
 * seventh would wait for ever. Locks are shared by all tabs, and one that is closed lets go of its lock by itself.
 */
const slots = [1, 2, 3, 4];

function takeSlot(name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      if (lock !== null) return new Promise<void>((release) => resolve(release));
      resolve(null);
      return undefined;
    };
    void navigator.locks.request(name, { ifAvailable: true }, hold);
  });
}

/** Resolves with how to let go of it; null when all are taken. */
export async function takeListeningSlot(): Promise<(() => void) | null> {
  // At an address that the browser does not trust there are no locks; who opens seven tabs there has to wait.
  if (!('locks' in navigator)) return () => undefined;
  for (const slot of slots) {
    const release = await takeSlot(`gatewright-listening-${slot}`);
    if (release !== null) return release;
  }
  return null;
}
