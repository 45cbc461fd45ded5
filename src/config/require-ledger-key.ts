/** The key of a ledger on a git ref. Asked for only when such a ledger is opened. */
import { GatewrightError } from '../errors.ts';
import type { BaseConfig } from './read-config.ts';

export function requireLedgerKey(config: Pick<BaseConfig, 'ledgerKey'>): string {
  const ledgerKey = config.ledgerKey.trim();
  if (/^[0-9a-f]{64}$/iu.test(ledgerKey)) return ledgerKey.toLowerCase();
  // The value is not shown, not even in part.
  throw new GatewrightError(
    'config-invalid',
    ledgerKey === ''
      ? 'The ledger is on a git ref (GATEWRIGHT_LEDGER is ref), and GATEWRIGHT_LEDGER_KEY is not set.'
      : 'GATEWRIGHT_LEDGER_KEY has to be 64 hex digits.',
    {
      hint: 'All machines need the key that the ledger was begun with. For a new ledger make one with: openssl rand -hex 32',
    },
  );
}
