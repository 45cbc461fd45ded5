/** Labels of the local forge: those that a repository has, those on an issue, and who put them there. */
import { checkColour } from '../../domain/forge/forge-texts.ts';
import { checkLabelName, labelColour } from '../../domain/forge/label-table.ts';
import type { ForgeLabel, LabelEvent } from '../../ports/forge/forge.ts';
import { type ForgeRecords, kindOfActor } from './forge-records.ts';

export class LocalLabels {
  readonly #records: ForgeRecords;

  constructor(records: ForgeRecords) {
    this.#records = records;
  }

  list(repository: string): ForgeLabel[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.#records.all<ForgeLabel>(
        'SELECT name, colour, description FROM forge_labels WHERE repository = ? ORDER BY name',
        repository,
      );
    });
  }

  ensure(repository: string, label: ForgeLabel): { created: boolean } {
    return this.#records.transact(() => {
      this.#records.require(repository, 'write');
      return { created: this.#insert(repository, label) };
    });
  }

  #insert(repository: string, label: ForgeLabel): boolean {
    const colour = checkColour(label.colour);
    return (
      this.#records.run(
        'INSERT OR IGNORE INTO forge_labels (repository, name, colour, description) VALUES (?, ?, ?, ?)',
        repository,
        checkLabelName(label.name),
        colour,
        label.description,
      ).changes === 1
    );
  }

  /** Of one issue, in the order in which they were put on it. */
  of(repository: string, number: number): string[] {
    return this.#records
      .all<{ label: string }>(
        'SELECT label FROM forge_issue_labels WHERE repository = ? AND number = ? ORDER BY position',
        repository,
        number,
      )
      .map((row) => row.label);
  }

  /** Inside a transaction of the caller. */
  add(repository: string, number: number, names: readonly string[]): void {
    for (const name of names) {
      // As on GitHub: a label that does not exist yet comes into being with the first issue that carries it.
      const label = checkLabelName(name);
      this.#insert(repository, { name: label, colour: labelColour(label), description: '' });
      // An existing label keeps its spelling, however an issue asks for it.
      const known = this.#records.one<{ name: string }>(
        'SELECT name FROM forge_labels WHERE repository = ? AND name = ?',
        repository,
        label,
      );
      const { changes } = this.#records.run(
        `INSERT OR IGNORE INTO forge_issue_labels (repository, number, label, position)
         VALUES (@repository, @number, @label,
           (SELECT coalesce(max(position), 0) + 1 FROM forge_issue_labels
            WHERE repository = @repository AND number = @number))`,
        { repository, number, label: known?.name },
      );
      if (changes === 1) this.#note(repository, number, known?.name ?? label, 'added');
    }
  }

  /** Inside a transaction of the caller. */
  remove(repository: string, number: number, names: readonly string[]): void {
    for (const name of names) {
      const [removed] = this.#records.all<{ label: string }>(
        'DELETE FROM forge_issue_labels WHERE repository = ? AND number = ? AND label = ? RETURNING label',
        repository,
        number,
        name,
      );
      if (removed !== undefined) this.#note(repository, number, removed.label, 'removed');
    }
  }

  #note(repository: string, number: number, label: string, change: LabelEvent['change']): void {
    this.#records.run(
      `INSERT INTO forge_label_events (repository, number, label, change, actor, at, head, base)
       VALUES (@repository, @number, @label, @change, @actor, @at,
         (SELECT head_sha FROM forge_pull_requests WHERE repository = @repository AND number = @number),
         (SELECT base_branch FROM forge_pull_requests WHERE repository = @repository AND number = @number))`,
      { repository, number, label, change, actor: this.#records.actor, at: this.#records.now() },
    );
  }

  listEvents(repository: string, number: number): LabelEvent[] {
    return this.#records
      .all<Omit<LabelEvent, 'actorKind'>>(
        `SELECT label, change, actor, at, head, base FROM forge_label_events
         WHERE repository = ? AND number = ? ORDER BY id`,
        repository,
        number,
      )
      .map((event) => ({ ...event, actorKind: kindOfActor(event.actor) }));
  }
}
