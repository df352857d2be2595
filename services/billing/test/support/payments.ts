import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { until } from '@pulso/platform/testing/until';
import type { Currency, ProviderEvent } from '../../src/provider/payment-provider.js';
import { HandleProviderEvents } from '../../src/provider-events/handle-provider-events.js';
import { Reconcile, type Reconciliation } from '../../src/reconcile/reconcile.js';
import { SyncCustomer } from '../../src/sync/sync-customer.js';
import { Billing, type Person } from '../start.js';
import type { FakeProvider } from './fake-provider.js';

interface Started {
  billing: Billing;
  provider: FakeProvider;
  payments: Payments;
}

/** What tests of payments do with billing and its provider in memory. */
export class Payments {
  constructor(
    readonly billing: Billing,
    readonly provider: FakeProvider,
  ) {}

  /** A billing of its own, whose workers rest. `isDirect`: coaches' accounts take the payments (SUBS-16). */
  static async start({ isDirect = false } = {}): Promise<Started> {
    const { billing, provider } = await Billing.startPaid();
    provider.isDirect = isDirect;
    const payments = new Payments(billing, provider);
    await payments.stopWorkers();
    return { billing, provider, payments };
  }

  /** Events and calls are worked off by `settle` alone from now on, so that a test decides their order. */
  async stopWorkers(): Promise<void> {
    await this.billing.service.get(HandleProviderEvents).onModuleDestroy();
  }

  /** The provider's customer of a user, who has one from now on. */
  async customer(user: Person, currency: Currency = 'MXN', accountId: string | null = null): Promise<string> {
    const id = this.provider.customer(user.id, currency, accountId);
    await this.billing.rows(
      `INSERT INTO provider_customers (user_id, currency, customer_id, account_id, created_at)
       VALUES ($1, $2, $3, $4, now())`,
      [user.id, currency, id, accountId],
    );
    return id;
  }

  /** A member who pays for a subscription to a coach, as billing knows it. */
  async couple(): Promise<{ ana: Person; coach: Person; customer: string; paid: string }> {
    const [ana, coach] = [await this.billing.person(), await this.billing.coach()];
    const customer = await this.customer(ana, 'MXN', await this.sellerOf(coach));
    const paid = this.provider.subscribe(customer, coach.id);
    await this.tellAll();
    return { ana, coach, customer, paid };
  }

  /** The account that the coach's subscriptions are on; null for the platform's own. */
  private async sellerOf(coach: Person): Promise<string | null> {
    if (!this.provider.isDirect) return null;
    return (await this.billing.as(coach, (client) => client.openPayoutAccount({}))).accountId;
  }

  /** Hands events over as the gateway does; they are handled later. */
  async take(events: readonly ProviderEvent[]): Promise<void> {
    for (const event of events) {
      const { body, signature } = this.provider.signed(event);
      await this.billing.as(null, (client) => client.takeProviderEvent({ body, signature }));
    }
  }

  /** Delivers what the provider has to tell, and works off all that follows. */
  async tellAll(): Promise<void> {
    await this.take(this.provider.takeEvents());
    await this.settle();
  }

  settle(): Promise<void> {
    return workOff(this.billing);
  }

  sync(customer: string): Promise<unknown> {
    return this.billing.service.get(SyncCustomer).execute(customer);
  }

  reconcile(apply = true): Promise<Reconciliation> {
    return this.billing.service.get(Reconcile).execute({ apply });
  }

  /** What was paid back of each subscription, in the order of the refunds. */
  async refunds(
    ...subscriptionIds: string[]
  ): Promise<{ id: string; amount: number; reason: string; state: string }[]> {
    return this.billing.rows(
      `SELECT provider_subscription_id AS id, amount_minor AS amount, reason, state FROM refunds
       WHERE provider_subscription_id = ANY ($1) ORDER BY id`,
      [subscriptionIds],
    );
  }
}

/**
 * Works off all endings, calls and events, also those that wait to be tried again. `passedMs` is the time that passes before each
 * attempt of a call: what an attempt before has sent is under way no longer.
 */
export async function workOff(billing: Billing, passedMs = 0): Promise<void> {
  await billing.untilEnded();
  await until(
    async () => {
      await billing.rows(
        `UPDATE foreign_calls SET due_at = now(), tried_at = tried_at - $1::float8 * interval '1 millisecond'
         WHERE state = 'pending' AND NOT running`,
        [passedMs],
      );
      await billing.service.get(ForeignCalls).recover();
      await billing.rows("UPDATE provider_events SET due_at = '2000-01-01' WHERE handled_at IS NULL");
      await billing.service.get(HandleProviderEvents).execute();
      const [open] = await billing.rows<{ calls: number; events: number }>(
        `SELECT (SELECT count(*)::int FROM foreign_calls WHERE state = 'pending') AS calls,
           (SELECT count(*)::int FROM provider_events WHERE handled_at IS NULL) AS events`,
      );
      return open!.calls + open!.events === 0;
    },
    { what: 'no call and no event that waits' },
  );
  await billing.service.drainEvents();
}
