import type { StoredDelivery } from './stored-delivery.js';

/** The deliveries of one publication, which have no rows yet: its outbox still has their states. */
export class Flight {
  private readonly open = new Set<StoredDelivery>();
  private isClosed = false;
  private land!: () => void;
  private end!: (isStored: boolean) => void;
  /** Resolves when all are handled, or when one of them needs a row at once. */
  readonly landed = new Promise<void>((resolve) => (this.land = resolve));
  /** Resolves to whether those that were not handled in time have rows now; if not, the publication has failed. */
  private readonly ended = new Promise<boolean>((resolve) => (this.end = resolve));

  add(delivery: StoredDelivery): void {
    this.open.add(delivery);
  }

  /** How many deliveries of each group are not handled. */
  countInto(counts: Map<string, number>): void {
    for (const { group } of this.open) counts.set(group, (counts.get(group) ?? 0) + 1);
  }

  /** Resolves to whether the handled delivery has a row, which is then to be removed. */
  async handled(delivery: StoredDelivery): Promise<boolean> {
    if (this.isClosed) return this.ended;
    this.open.delete(delivery);
    if (this.open.size === 0) this.land();
    return false;
  }

  /** Asks for rows at once: for a delivery that failed or that its queue has no room for. Resolves to whether it has one. */
  needsRow(): Promise<boolean> {
    this.land();
    return this.ended;
  }

  /** The deliveries that need rows; whatever becomes of them afterwards waits until `stored` is called. */
  close(): StoredDelivery[] {
    this.isClosed = true;
    return [...this.open];
  }

  stored(isStored: boolean): void {
    if (isStored) for (const delivery of this.open) delivery.flight = undefined;
    this.open.clear();
    this.end(isStored);
  }
}
