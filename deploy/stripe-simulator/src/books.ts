import { randomBytes } from 'node:crypto';
import type { Kind, Kinds } from './kinds.js';
import { newEvent, newThinEvent, type StripeEvent, type ThinEvent } from './resources/event.js';
import { missing } from './http/stripe-error.js';
import type { Store } from './store/store.js';
import { enqueue } from './webhooks/delivery.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What all of the simulator shares. */
export interface World {
  readonly store: Store<Kinds>;
  /** Where the simulator's pages are, without a slash at the end. */
  readonly publicUrl: string;
  /** The machine's time in ms: webhooks are sent and signed by it. */
  readonly machineMs: () => number;
}

/** Does `work`, which changes objects: all of it is written when it returns, and nothing of it stays when it throws. */
export function transact<T>({ store }: World, work: () => T): T {
  try {
    const result = work();
    store.commit();
    return result;
  } catch (error) {
    store.rollback();
    throw error;
  }
}

/** The objects of the platform (account null) or of one connected account, at the simulator's time. */
export class Books {
  constructor(
    readonly world: World,
    readonly account: string | null,
    /** The request of the API that acts; null where the clock or a page does. */
    readonly request: { id: string; idempotency_key: string | null } | null = null,
  ) {}

  of(account: string | null): Books {
    return account === this.account ? this : new Books(this.world, account, this.request);
  }

  /** How far the simulator's clock was turned ahead of the machine's. */
  get aheadMs(): number {
    return this.world.store.find('_clock', 'clock')?.value.aheadMs ?? 0;
  }

  /** In seconds since the epoch. */
  get now(): number {
    return Math.floor((this.world.machineMs() + this.aheadMs) / 1000);
  }

  newId(prefix: string, length = 24): string {
    return prefix + Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('');
  }

  put<K extends Kind>(kind: K, value: Kinds[K]): Kinds[K] {
    return this.world.store.put(kind, this.account, value);
  }

  all<K extends Kind>(kind: K): Kinds[K][] {
    return this.world.store.all(kind, this.account);
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const found = this.world.store.find(kind, id);
    return found && found.account === this.account ? found.value : undefined;
  }

  /** Throws Stripe's error for an id that is not known here; `param` names the parameter that gave it. */
  get<K extends Kind>(kind: K, id: string, param?: string): Kinds[K] {
    const found = this.find(kind, id);
    if (!found) throw missing(kind.replaceAll('_', ' '), id, param);
    return found;
  }

  /** Notes an event of an object as it is now, and sends it to the webhook. */
  emit(type: string, object: object, previous?: object): void {
    this.send(newEvent(this, type, object, previous));
  }

  /** The same by an event that only names the object. */
  emitThin(type: string, about: ThinEvent['related_object']): void {
    this.send(newThinEvent(this, type, about));
  }

  private send(event: StripeEvent): void {
    this.put('event', event);
    enqueue(this, event);
  }
}
