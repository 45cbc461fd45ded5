/** What the API works with; made by the composition root. */
import type { AgentModels } from '../../../domain/fleet/agent-models.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ClosedIssues } from '../../../ports/closed-issues.ts';
import type { House, Records } from '../../../runs/house.ts';
import type { PageFiles } from './pages/page-files.ts';

export interface ApiTools extends Pick<Records, 'ledger' | 'views' | 'leases'> {
  readonly clock: Pick<Clock, 'now'>;
  readonly closed: ClosedIssues;
  /** The repository whose runs are shown; everything else in the same database is not there. */
  readonly repositoryName: string;
  readonly version: string;
  readonly pages: PageFiles;
  /** The person who started the server: who holds a session is that person. */
  readonly person: Pick<House, 'actor' | 'forge' | 'ledger' | 'repository'>;
  /** The same place as agents see it. */
  readonly fleet: House;
  readonly agentModels: AgentModels;
  /** An answer is on the ledger: the fleet goes on with the run, unless another process does. */
  readonly onAnswered: (run: string) => void;
  readonly onTrouble: (error: unknown) => void;
}
