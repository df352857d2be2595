import type { DeliveryRef } from './stored-delivery.js';

/** The deliveries with rows that this process holds and has not handled. */
export class LateDeliveries {
  private readonly byGroup = new Map<string, Set<string>>();

  add(deliveries: readonly DeliveryRef[]): void {
    for (const { seq, group } of deliveries) {
      const late = this.byGroup.get(group);
      if (late) late.add(seq);
      else this.byGroup.set(group, new Set([seq]));
    }
  }

  remove({ seq, group }: DeliveryRef): void {
    this.byGroup.get(group)?.delete(seq);
  }

  /** Whether the group has any: then its next deliveries would only wait for them. */
  has(group: string): boolean {
    return (this.byGroup.get(group)?.size ?? 0) > 0;
  }
}
