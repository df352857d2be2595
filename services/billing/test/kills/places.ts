import { writeSync } from 'node:fs';
import type { Transaction } from '@pulso/platform/postgres/writes';
import type { BootedService } from '@pulso/platform/service/start-service';
import { Inbox } from '../../src/inbox/inbox.js';
import { SyncRequests } from '../../src/inbox/sync-requests.js';
import { EndAtProvider } from '../../src/provider-calls/end-at-provider.js';
import { TakeProviderEvent } from '../../src/provider-events/take-provider-event.js';
import { Provider } from '../../src/provider/provider.js';
import { CheckoutRepository } from '../../src/store/checkout.repository.js';
import { CustomerRepository } from '../../src/store/customer.repository.js';
import { ProviderPriceRepository } from '../../src/store/provider-price.repository.js';
import { RefundRepository } from '../../src/store/refund.repository.js';
import { CustomerReads } from '../../src/sync/customer-reads.js';
import { RefundEnded } from '../../src/sync/refund-ended.js';
import { SyncCustomer } from '../../src/sync/sync-customer.js';

/** The calls that a member who comes and goes needs; each begins, is made at the provider, is being settled, and is settled. */
const CALLS = [
  'createCustomer',
  'createPrice',
  'createCheckout',
  'setCancelAtPeriodEnd',
  'cancelNow',
  'refund',
] as const;
const SETTLED = ['createCustomer', 'createPrice', 'createCheckout', 'orderRead', 'refund'] as const;

/** Between any two steps of billing: where a process can be killed. */
export const PLACES = [
  ...['event being stored', 'event stored', 'events taken', 'event worked off', 'event handled'],
  ...['read begun', 'read made', 'sync being written', 'sync written'],
  ...['refund being ordered', 'refund ordered', 'end being ordered', 'end ordered'],
  ...CALLS.flatMap((call) => [`${call} begun`, `${call} made`]),
  ...SETTLED.flatMap((call) => [`${call} being settled`, `${call} settled`]),
] as const;
export type Place = (typeof PLACES)[number];

type Method = (...given: unknown[]) => Promise<unknown>;

/** Where this process kills itself: at the place when it is there for the `left`th time. */
export class KillPlaces {
  private place = '';
  private left = 0;

  constructor(private readonly service: Pick<BootedService, 'get'>) {
    this.watchInbox();
    this.watchSync();
    this.watchOrders();
    this.watchCalls();
  }

  arm(place: string, left: number): void {
    [this.place, this.left] = [place, left];
  }

  private reach(place: string): void {
    if (place !== this.place) return;
    this.left -= 1;
    if (this.left > 0) return;
    writeSync(1, `killed: ${place}\n`);
    process.kill(process.pid, 'SIGKILL');
  }

  private watchInbox(): void {
    const inbox = this.service.get(Inbox);
    this.after(inbox, 'put', 'event being stored');
    this.after(this.service.get(TakeProviderEvent), 'execute', 'event stored');
    this.after(inbox, 'take', 'events taken', (taken) => (taken as unknown[]).length > 0);
    this.before(inbox, 'handled', 'event worked off');
    this.after(inbox, 'handled', 'event handled');
  }

  private watchSync(): void {
    this.after(this.service.get(CustomerReads), 'begin', 'read begun');
    this.after(this.service.get(Provider), 'subscriptionsOf', 'read made');
    this.after(this.service.get(RefundEnded), 'execute', 'sync being written');
    this.after(this.service.get(SyncCustomer), 'execute', 'sync written');
  }

  private watchOrders(): void {
    this.inTransaction(this.service.get(RefundEnded), 'order', ['refund being ordered', 'refund ordered']);
    this.inTransaction(this.service.get(EndAtProvider), 'end', ['end being ordered', 'end ordered']);
  }

  private watchCalls(): void {
    const { calls } = this.service.get(Provider);
    for (const call of CALLS) {
      this.before(calls[call], 'make', `${call} begun`);
      this.after(calls[call], 'make', `${call} made`);
    }
    const settles = (part: object, method: string, call: (typeof SETTLED)[number]) =>
      this.inTransaction(part, method, [`${call} being settled`, `${call} settled`]);
    settles(this.service.get(CustomerRepository), 'add', 'createCustomer');
    settles(this.service.get(ProviderPriceRepository), 'set', 'createPrice');
    settles(this.service.get(CheckoutRepository), 'made', 'createCheckout');
    // The end of a call that changes a subscription.
    settles(this.service.get(SyncRequests), 'orderFor', 'orderRead');
    settles(this.service.get(RefundRepository), 'settle', 'refund');
  }

  private before(part: object, method: string, place: string): void {
    around(part, method, (run) => (...given) => {
      this.reach(place);
      return run(...given);
    });
  }

  private after(
    part: object,
    method: string,
    place: string,
    isThere: (result: unknown) => boolean = () => true,
  ): void {
    around(part, method, (run) => async (...given) => {
      const result = await run(...given);
      if (isThere(result)) this.reach(place);
      return result;
    });
  }

  /** The method's last argument is the transaction: the places are before and after its commit. */
  private inTransaction(part: object, method: string, [open, committed]: [string, string]): void {
    around(part, method, (run) => async (...given) => {
      const result = await run(...given);
      this.reach(open);
      (given.at(-1) as Transaction).afterCommit.push(() => this.reach(committed));
      return result;
    });
  }
}

function around(part: object, method: string, wrap: (run: Method) => Method): void {
  const run = (part as Record<string, Method>)[method]!;
  Object.assign(part, { [method]: wrap(run.bind(part)) });
}
