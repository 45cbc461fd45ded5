/** What the forge contract needs of an adapter to try it. */
import type { Forge, Permission } from '../../src/ports/forge.ts';

export interface ForgeWorld {
  /** Acts for the administrator. */
  readonly forge: Forge;
  forgeAs(actor: string): Forge;
  /** New, public and empty: nobody else files issues there meanwhile. */
  readonly repository: string;
  /** One login for each permission; the suite cannot choose logins on a real forge. */
  readonly actors: Readonly<Record<Permission, string>>;
  /** Lets enough time pass for the forge to give the next thing a later date. */
  pause(): Promise<void>;
  close(): Promise<void>;
}
