/** No program that is started for a person gets a secret of ours, whatever a person calls the variable of a channel. */
import { expect, it } from 'vitest';
import { secretVariables, withoutSecrets } from './secret-variables.ts';

it('keeps back every secret, and the variables of all channels', () => {
  const names = [
    ...secretVariables,
    'GATEWRIGHT_NOTIFY_',
    'GATEWRIGHT_NOTIFY_TEAM_URL',
    'GATEWRIGHT_NOTIFY_X',
  ];
  const given = Object.fromEntries([...names, 'PATH', 'GATEWRIGHT_NOTIFICATIONS'].map((name) => [name, 'x']));
  expect(withoutSecrets(given)).toEqual({ PATH: 'x', GATEWRIGHT_NOTIFICATIONS: 'x' });
});
