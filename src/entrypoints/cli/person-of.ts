import type { House } from '../../runs/house.ts';
import type { App } from './app.ts';

/** The login of the person who types; on GitHub the account whose credentials are used. */
export function personOf(app: App, house: House, own: string): string {
  return house.forge.kind === 'local' ? app.config.actor : own;
}
