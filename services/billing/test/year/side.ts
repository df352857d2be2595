import type { Currency, Pair } from '../../src/provider/payment-provider.js';

/** A user of the year, as other services have told billing of them. */
export interface User {
  readonly id: string;
  name: string;
  isCoach: boolean;
  status: 'active' | 'suspended' | 'deleted';
  /** Of a coach, in minor units; null until set. */
  priceMinor: number | null;
  currency: Currency;
}

/**
 * How a subscription at the provider is to stand by the rules: it lives, is over for good, or may be either, because billing had
 * not seen it when something happened that ends what is seen.
 */
export interface Sold {
  readonly id: string;
  fate: 'lives' | 'over' | 'doubt';
  /** What is paid back of the period in which it has ended; `any` where that depends on what billing saw first. */
  refund: 'none' | 'unused' | 'all' | 'any';
  /** It ended not before; it did so by the next rest. */
  endedFrom: number;
  endedBy: number;
  /** Ended by the provider's people: access goes on as far as it is paid. */
  isClosed: boolean;
  /** Bought outside of Pulso, perhaps while another one lived. */
  readonly isExtra: boolean;
  /** What operators have ordered to be paid back, by payment. */
  readonly byHand: Map<string, number>;
  /** Payments that were disputed at the bank, and what had been paid back of each: nothing more is (SUBS-34). */
  readonly disputed: Map<string, number>;
}

/** What billing has of a pair. */
export interface Row {
  psid: string | null;
  status: string;
  access: boolean;
  ending: boolean;
  periodEnd: number | null;
  priceMinor: number | null;
  currency: string | null;
  /** When access ends by itself; null where it does not. */
  until: number | null;
}

/** A member and a coach, what the member has bought, and what the rules say of it. */
export class Side {
  /** Access that costs nothing; undefined where it is not known. */
  free: boolean | undefined = false;
  /** Access that cost nothing has ended since the last rest: a worker ends it. */
  wasFree = false;
  readonly sold = new Map<string, Sold>();
  /** Whether a subscription is to end with its period, by who pressed last; undefined where presses have crossed. */
  wish: { id: string; ending: boolean } | undefined;
  /** What lived at the provider at the last rest. */
  ownId: string | undefined;
  /** Who has pressed since the last rest. */
  readonly pressed = { here: false, there: false };
  readonly blocks = { byUser: false, byCoach: false };
  /** What has happened to it since the last rest, for a failure's message. */
  readonly story: string[] = [];

  constructor(
    readonly user: User,
    readonly coach: User,
  ) {}

  get pair(): Pair {
    return { userId: this.user.id, coachId: this.coach.id };
  }

  get name(): string {
    return `${this.user.name}-${this.coach.name}`;
  }

  bought(id: string, isExtra = false): void {
    const open = { fate: 'lives', refund: 'none', endedFrom: Infinity, endedBy: -Infinity } as const;
    this.sold.set(id, { id, ...open, isClosed: false, isExtra, byHand: new Map(), disputed: new Map() });
  }

  /** All that is not over for sure. */
  open(): Sold[] {
    return [...this.sold.values()].filter(({ fate }) => fate !== 'over');
  }

  /** Nothing may give access, whatever is paid (SUBS-12). */
  get isForbidden(): boolean {
    const { user, coach, blocks } = this;
    return user.status === 'deleted' || coach.status !== 'active' || blocks.byUser || blocks.byCoach;
  }
}
