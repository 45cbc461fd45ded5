/** Plays what happens on a local forge as jobs of GitHub Actions do: begin, propose on a scratch ledger, apply. */
import { composeHouse } from '../../src/compose/compose-house.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { identifyActionsEvent } from '../../src/domain/fleet/actions-delivery.ts';
import { agentNames, workflowNames } from '../../src/domain/fleet/agent-names.ts';
import type { FleetEvent } from '../../src/domain/fleet/event.ts';
import type { Proposal } from '../../src/domain/proposals/proposal.ts';
import { type ProposalPlace, sealProposal } from '../../src/domain/proposals/seal-proposal.ts';
import { RunProposer } from '../../src/fleet/proposals/propose-runs.ts';
import { type JobEnd, runJob } from '../../src/fleet/proposals/run-job.ts';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
import type { House } from '../../src/runs/house.ts';
import { type FleetRoom, packageRoot } from './fleet-room.ts';

const everyone: Proposal['agents'] = [...agentNames, ...workflowNames, 'label-keeper'];

/** A house whose ledger is thrown away, as the job that asks models has it. */
function openScratch(world: FleetRoom): Promise<House> {
  const { playground } = world;
  const config = readConfig({ ...playground.environment, ...world.environment });
  return composeHouse(config, packageRoot, {
    ...{ repository: playground.repository, forge: 'local', name: null, asAgent: true, use: 'scratch' },
  });
}

const mostRounds = 40;

export class ActionsPlay {
  readonly world: FleetRoom;
  readonly agents: Proposal['agents'];
  #isBegun = false;
  #workflowRun = 0;
  #cursor = 0;
  /** A proposal that was not applied to its end: the job that does so is run again. */
  #pending: string | null = null;

  constructor(world: FleetRoom, agents: Proposal['agents'] = everyone) {
    this.world = world;
    this.agents = agents;
  }

  place(event: string | null = null): ProposalPlace {
    return {
      ...{ repository: this.world.repository, workflowRun: this.#workflowRun, attempt: 1 },
      ...{ agents: this.agents, event, base: this.world.git('rev-parse', 'main').trim() },
    };
  }

  /** A schedule has happened on no forge. */
  async due(event: FleetEvent, house: House = this.world.house): Promise<void> {
    this.#isBegun = true;
    await this.receiveOne(event, house);
  }

  /** What happened since the last time, as workflow runs of it would receive it. */
  async receive(house: House = this.world.house): Promise<void> {
    for (;;) {
      const page = (await house.eventFeed?.since(house.repositoryName, this.#cursor, 200)) ?? [];
      for (const { event } of page) {
        // What the scene began with was handled by another process.
        if (event === null || (await house.ledger.find('event-received', event.delivery)) !== null) continue;
        await this.receiveOne(event, house);
      }
      const last = page.at(-1);
      if (last === undefined) return;
      this.#cursor = last.id;
    }
  }

  async receiveOne(event: FleetEvent, house: House = this.world.house): Promise<void> {
    const delivery = identifyActionsEvent(this.agents, event.kind, JSON.stringify(event));
    await receiveEvent(house, { ...event, delivery });
  }

  begin(house: House = this.world.house): Promise<JobEnd> {
    this.#workflowRun += 1;
    return this.#run(null, house);
  }

  #run(file: string | Buffer | null, house: House): Promise<JobEnd> {
    const { agents } = this;
    const job = { place: this.place(), agents, workflowFile: null };
    return runJob(house, job, file === null ? null : Buffer.from(file), { own: this.world.own });
  }

  /** As the file that the job leaves. */
  async propose(watch: (house: House) => House = (house) => house): Promise<string> {
    const scratch = watch(await openScratch(this.world));
    const proposer = new RunProposer(scratch, { own: this.world.own });
    return sealProposal(scratch.signingKey, await proposer.propose(this.place(), this.agents));
  }

  apply(file: string | Buffer, house: House = this.world.house): Promise<JobEnd> {
    return this.#run(file, house);
  }

  /** Until nothing waits and nothing new happens. */
  async settle(
    house: House = this.world.house,
    watch: (scratch: House) => House = (scratch) => scratch,
  ): Promise<number> {
    for (let round = 1; round <= mostRounds; round += 1) {
      if (this.#pending !== null) await this.apply(this.#pending, house);
      this.#pending = null;
      const before = this.#cursor;
      if (!this.#isBegun) await this.receive(house);
      const { next, applied } = await this.begin(house);
      if (next === 'done') {
        if (before === this.#cursor && applied?.outcomes.length === 0) return round;
        continue;
      }
      this.#pending = await this.propose(watch);
    }
    throw new Error('It does not come to an end.');
  }
}
