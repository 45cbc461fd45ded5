/** The views on SQLite pass the contract of views. */
import { SqliteRunViews } from '../../src/adapters/sqlite/sqlite-run-views.ts';
import { describeRunViews } from './run-views.contract.ts';
import { SqliteWorld } from './sqlite-world.ts';

describeRunViews('SqliteRunViews', async () => {
  const world = new SqliteWorld();
  return {
    ledger: world.ledger,
    views: new SqliteRunViews(world.database),
    advance: (milliseconds) => world.clock.advance(milliseconds),
    now: () => world.clock.now(),
    close: async () => world.remove(),
  };
});
