/** `forge permission …`: who may do what on the local forge. */

import { isLogin } from '../../../../domain/forge/login.ts';
import type { Permission } from '../../../../domain/forge/permission.ts';
import { GatewrightError } from '../../../../errors.ts';
import { openLocalHouse } from '../../open-local-house.ts';
import type { Handler } from '../../table/command.ts';

export const listPermissions: Handler = async (app, given) => {
  const house = await openLocalHouse(app, given);
  const permissions = await house.permissions.list();
  if (given.flag('json')) app.terminal.printJson(permissions);
  else app.terminal.printTable(permissions.map(({ actor, permission }) => [actor, permission]));
  return 0;
};

export const setPermission: Handler = async (app, given) => {
  const [actor = '', level = ''] = given.args;
  if (!isLogin(actor))
    throw new GatewrightError(
      'usage',
      "A login holds letters, digits and _ . @ - only; a program's ends with [bot].",
    );
  const house = await openLocalHouse(app, given);
  await house.permissions.set(actor, level as Permission);
  if (given.flag('json')) app.terminal.printJson({ actor, permission: level });
  else app.terminal.print(`${actor} now has "${level}" on ${house.repositoryName}.`);
  return 0;
};
