import { Injectable } from '@nestjs/common';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { CustomerRepository } from '../store/customer.repository.js';
import type { PayersDispute, ProviderSubscription } from '../provider/payment-provider.js';
import { requireProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';
import { isOfOtherPrice } from '../sync/decide.js';
import { type Difference, SyncCustomer } from '../sync/sync-customer.js';
import { DisputeRepository } from '../store/dispute.repository.js';
import { type Known, LiveSubscriptionsRepository } from '../store/live-subscriptions.repository.js';

const PAGE = 100;

/** What differs between Pulso and the provider. */
export interface Drift {
  customerId: string;
  what: string;
  userId: string;
  coachId: string;
  providerSubscriptionId: string;
}

/** What a comparison has found. */
export interface Reconciliation {
  /** The live subscriptions at the provider. */
  provided: number;
  /** The customers that were read one by one, because something of them seemed to differ. */
  customers: number;
  drifts: Drift[];
}

interface Compared {
  /** The ids of those that live at the provider. */
  seen: Set<string>;
  /** The customers that are to be read alone. */
  suspects: Set<string>;
  drifts: Drift[];
}

/** Compares all live subscriptions with the provider (SUBS-18). */
@Injectable()
export class Reconcile {
  constructor(
    private readonly provider: Provider,
    private readonly live: LiveSubscriptionsRepository,
    private readonly customers: CustomerRepository,
    private readonly disputes: DisputeRepository,
    private readonly sync: SyncCustomer,
    private readonly writes: Writes,
  ) {}

  /**
   * Both sides are read in pages first; each customer with a difference is then read alone, since time has passed, and with
   * `apply` written as the provider has it. Throws `payments-not-configured`, and what the provider throws.
   */
  async execute(
    { apply, onProgress }: { apply: boolean; onProgress?: () => Promise<void> },
    signal?: AbortSignal,
  ): Promise<Reconciliation> {
    requireProvider(this.provider);
    const limit = signal ?? new AbortController().signal;
    const compared: Compared = { seen: new Set(), suspects: new Set(), drifts: [] };
    const { seen, suspects, drifts } = compared;
    await this.readAccount(null, compared, { apply, onProgress }, limit);
    for (const accountId of await this.live.accounts(this.provider.isDirect))
      await this.unlessRefused({ customerId: accountId }, drifts, () =>
        this.readAccount(accountId, compared, { apply, onProgress }, limit),
      );
    await this.readOwn(compared);
    for (const customerId of suspects) {
      limit.throwIfAborted();
      await onProgress?.();
      await this.unlessRefused({ customerId }, drifts, async () => {
        const found = await (apply
          ? this.sync.execute(customerId, limit)
          : this.sync.compare(customerId, limit));
        drifts.push(...found.map((difference) => driftOf(customerId, difference)));
      });
    }
    return { provided: seen.size, customers: suspects.size, drifts };
  }

  /** An account that has left the platform hides what is on it: that is told, and all others are compared. */
  private async unlessRefused(
    about: Pick<Drift, 'customerId'>,
    drifts: Drift[],
    read: () => Promise<void>,
  ): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (this.provider.failureOf(error) !== 'refused') throw error;
      const nobody = { userId: '', coachId: '', providerSubscriptionId: '' };
      drifts.push({ ...about, ...nobody, what: 'the provider refuses to show it' });
    }
  }

  /** What is on the platform's own account (null), or on a coach's. */
  private async readAccount(
    accountId: string | null,
    compared: Compared,
    how: { apply: boolean; onProgress: (() => Promise<void>) | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    await this.readLive(accountId, compared, how, signal);
    await this.readDisputes(accountId, compared, signal);
  }

  private async readLive(
    accountId: string | null,
    { seen, suspects, drifts }: Compared,
    { apply, onProgress }: { apply: boolean; onProgress: (() => Promise<void>) | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    let page: ProviderSubscription[] = [];
    const compare = async () => {
      await onProgress?.();
      const known = await this.live.known(page);
      for (const each of page) {
        const own = known.get(each.id)!;
        if (!own.isOwnCustomer) {
          drifts.push(driftAbout(each, 'its customer is not known'));
          if (!apply || !(await this.adopt(each, accountId))) continue;
        }
        if (differs(each, own)) suspects.add(each.customerId);
      }
      page = [];
    };
    for await (const each of this.provider.liveSubscriptions(accountId, signal)) {
      seen.add(each.id);
      const { userId, coachId } = each.pair;
      if (!isId(userId) || !isId(coachId)) drifts.push(driftAbout(each, 'its metadata names no users'));
      else page.push(each);
      if (page.length === PAGE) await compare();
    }
    await compare();
  }

  /** Those that live here alone: a customer that is known is read again, the others are told. */
  private async readOwn({ seen, suspects, drifts }: Compared): Promise<void> {
    for (let after = ''; ;) {
      const page = await this.live.live(after, PAGE);
      for (const { customerId, ...own } of page) {
        if (seen.has(own.providerSubscriptionId)) continue;
        if (customerId) suspects.add(customerId);
        else drifts.push({ ...own, customerId: '', what: 'lives here alone, and its customer is not known' });
      }
      if (page.length < PAGE) return;
      after = page.at(-1)!.providerSubscriptionId;
    }
  }

  /** What is disputed need not live any more. */
  private async readDisputes(
    accountId: string | null,
    { suspects }: Compared,
    signal: AbortSignal,
  ): Promise<void> {
    let page: PayersDispute[] = [];
    const compare = async () => {
      for (const customerId of await this.disputes.unsettled(page)) suspects.add(customerId);
      page = [];
    };
    for await (const dispute of this.provider.disputes(accountId, signal)) {
      page.push(dispute);
      if (page.length === PAGE) await compare();
    }
    await compare();
  }

  /** Makes the provider's customer the user's, as after a restored backup. Returns whether it is theirs now. */
  private async adopt(
    { customerId, currency, pair: { userId } }: ProviderSubscription,
    accountId: string | null,
  ): Promise<boolean> {
    await this.writes.run((transaction) =>
      this.customers.adopt({ userId, currency, customerId, accountId }, transaction),
    );
    return (await this.customers.find(userId, currency, accountId)) === customerId;
  }
}

/** Whether a live subscription at the provider is not what Pulso has. */
function differs(provided: ProviderSubscription, own: Known): boolean {
  return (
    own.isEnded ||
    isOfOtherPrice(provided) ||
    !own.givesAccess ||
    own.providerSubscriptionId !== provided.id ||
    own.status !== provided.status ||
    own.priceMinor !== provided.amountMinor ||
    own.currentPeriodEnd?.getTime() !== provided.currentPeriodEnd ||
    own.cancelAtPeriodEnd !== provided.cancelAtPeriodEnd
  );
}

const driftAbout = ({ id, customerId, pair }: ProviderSubscription, what: string): Drift => ({
  ...{ customerId, what, ...pair, providerSubscriptionId: id },
});

function driftOf(customerId: string, { pair, before, after, ended, isMissing }: Difference): Drift {
  const missing = isMissing ? ['the provider does not know it'] : [];
  const ends = ended.map(({ id, reason }) => `${id} must end: ${reason}`);
  const changes =
    before?.status === after?.status ? ['terms'] : [`${before?.status ?? 'none'} to ${after?.status}`];
  return {
    ...{ customerId, ...pair, providerSubscriptionId: (after ?? before)?.providerSubscriptionId ?? '' },
    what: [...missing, ...(after === before ? [] : changes), ...ends].join(', '),
  };
}
