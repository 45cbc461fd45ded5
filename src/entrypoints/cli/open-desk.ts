/** What it takes to tell people outside the forge what waits and what has stopped. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NotificationDesk } from '../../fleet/notifications/tell-people.ts';
import type { House } from '../../runs/house.ts';
import type { App } from './app.ts';
import { askFreshly } from './ask-closed.ts';

/** Null where no channel is set. */
export async function openDesk(app: App, house: Pick<House, 'signingKey'>): Promise<NotificationDesk | null> {
  const opened = await app.openNotifications(house.signingKey);
  const records = opened === null ? null : await app.openViews();
  if (opened === null || records === null) return null;
  const { views, closed } = records;
  return {
    ...opened,
    closed,
    closedFreshly: askFreshly(app, views, closed),
    exists: (folder) => existsSync(join(folder, '.git')),
  };
}
