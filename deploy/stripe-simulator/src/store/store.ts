import { Agenda, type Due } from './agenda.js';
import { Journal, type Change } from './journal.js';

interface Row {
  /** The connected account that it belongs to; null for the platform's own. */
  account: string | null;
  value: object;
}

/**
 * All objects of the simulator, by kind and id. Objects are never changed in place: `put` replaces them, so that a request
 * that fails leaves nothing (`rollback`) and one that succeeds is written whole (`commit`).
 *
 * @typeParam Kinds the type of each kind's objects
 */
export class Store<Kinds extends Record<keyof Kinds, { id: string }>> {
  readonly #tables = new Map<string, Map<string, Row>>();
  readonly #agenda = new Agenda();
  readonly #journal: Journal | undefined;
  readonly #dueAt: (kind: keyof Kinds, value: never) => number | null;
  /** What each object was before the running request changed it. */
  readonly #before = new Map<string, { kind: string; id: string; row: Row | undefined }>();

  /** @param dueAt when an object needs the clock's attention, in seconds; null: never */
  constructor(dueAt: <K extends keyof Kinds>(kind: K, value: Kinds[K]) => number | null, file?: string) {
    this.#dueAt = dueAt as (kind: keyof Kinds, value: never) => number | null;
    if (file === undefined) return;
    this.#journal = new Journal(file);
    for (const commit of this.#journal.read()) {
      for (const [kind, id, account, value] of commit) {
        if (value) this.#table(kind).set(id, { account, value });
        else this.#table(kind).delete(id);
      }
    }
    this.#journal.compact(this.#changes());
    for (const [kind, table] of this.#tables) for (const { value } of table.values()) this.#note(kind, value);
  }

  put<K extends keyof Kinds & string>(kind: K, account: string | null, value: Kinds[K]): Kinds[K] {
    this.#remember(kind, value.id);
    this.#table(kind).set(value.id, { account, value });
    this.#note(kind, value);
    return value;
  }

  remove<K extends keyof Kinds & string>(kind: K, id: string): void {
    this.#remember(kind, id);
    this.#table(kind).delete(id);
  }

  /** The object and its account. */
  find<K extends keyof Kinds & string>(
    kind: K,
    id: string,
  ): { account: string | null; value: Kinds[K] } | undefined {
    return this.#table(kind).get(id) as { account: string | null; value: Kinds[K] } | undefined;
  }

  /** All of a kind, the oldest first; of one account (null: the platform) where it is given. */
  all<K extends keyof Kinds & string>(kind: K, account?: string | null): Kinds[K][] {
    const found: Kinds[K][] = [];
    for (const row of this.#table(kind).values()) {
      if (account === undefined || row.account === account) found.push(row.value as Kinds[K]);
    }
    return found;
  }

  takeDue(at: number): Due | undefined {
    return this.#agenda.take(at);
  }

  /** Writes what the running request has changed; only then it may be acknowledged. Puts it back where that fails. */
  commit(): void {
    if (this.#before.size === 0) return;
    const changes = [...this.#before.values()].map(({ kind, id }): Change => {
      const row = this.#table(kind).get(id);
      return [kind, id, row?.account ?? null, row?.value ?? null];
    });
    try {
      this.#journal?.append(changes);
    } catch (error) {
      this.rollback();
      throw error;
    }
    this.#before.clear();
    if (this.#journal?.isLong) this.#journal.compact(this.#changes());
  }

  /** Puts back what the running request has changed. */
  rollback(): void {
    for (const { kind, id, row } of this.#before.values()) {
      if (!row) this.#table(kind).delete(id);
      else {
        this.#table(kind).set(id, row);
        this.#note(kind, row.value);
      }
    }
    this.#before.clear();
  }

  close(): void {
    this.#journal?.close();
  }

  #remember(kind: string, id: string): void {
    const key = `${kind} ${id}`;
    if (!this.#before.has(key)) this.#before.set(key, { kind, id, row: this.#table(kind).get(id) });
  }

  #note(kind: string, value: object): void {
    const at = this.#dueAt(kind as keyof Kinds, value as never);
    if (at !== null) this.#agenda.add({ at, kind, id: (value as { id: string }).id });
  }

  #table(kind: string): Map<string, Row> {
    let table = this.#tables.get(kind);
    if (!table) this.#tables.set(kind, (table = new Map()));
    return table;
  }

  #changes(): Change[] {
    return [...this.#tables].flatMap(([kind, table]) =>
      [...table].map(([id, { account, value }]): Change => [kind, id, account, value]),
    );
  }
}
