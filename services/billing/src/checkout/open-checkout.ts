import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { OpenCheckoutRequest, ProviderPage } from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { DomainError, outcomeUnknown, unavailable } from '@pulso/platform/errors/domain-error';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { ProviderCustomers } from '../provider-calls/provider-customers.js';
import { PayoutAccounts } from '../payouts/payout-accounts.js';
import { ProviderPrices } from '../price/provider-prices.js';
import type { Currency, Pair, ProviderCheckout } from '../provider/payment-provider.js';
import { ProviderCalls } from '../provider-calls/provider-calls.js';
import { AskProvider } from '../provider/ask-provider.js';
import { requireProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';
import { givesAccess } from '../store/subscription.js';
import { CheckSubscriber } from '../subscription/check-subscriber.js';
import { priceNotSet, subscribedAlready } from '../subscription/subscription-errors.js';
import { SyncCustomer } from '../sync/sync-customer.js';
import { type Checkout, CheckoutRepository } from '../store/checkout.repository.js';

/** How long a page may be paid. Stripe's shortest is 30 minutes. */
const OPEN_MS = 60 * 60_000;
/** How long a press waits for the page that another press is opening. */
const WAIT_MS = 3_000;
const LOOK_MS = 100;
/** A page that is found closed, and its successor; then the state changes faster than anybody presses. */
const ROUNDS = 3;

const nothingToPay = () =>
  new DomainError('unprocessable', 'Nothing is to be paid for this coach: subscribe directly.');
const priceChanged = () =>
  new DomainError('conflict', 'The price has just changed. Please look at it and try again.');

interface Offer {
  amountMinor: number;
  currency: Currency;
}

/** What a page is made of besides its offer. */
interface Parts {
  /** At the provider, of the offer that the caller was made. */
  customerId: string;
  priceId: string;
  accountId: string;
  successUrl: string;
  cancelUrl: string;
}

/**
 * `POST /api/stripe/checkout/create`: the provider's page on which the caller pays for a subscription (SUBS-14). A pair has one
 * page at a time, so two tabs and a double click pay once (SUBS-10). Billing decides price, customer and account. Grants
 * nothing. Throws like `CheckSubscriber`, then `price-not-set`, `conflict` where there is a subscription already,
 * `coach-not-ready`, `unavailable`, `outcome-unknown`.
 */
@Injectable()
export class OpenCheckout {
  constructor(
    private readonly provider: Provider,
    private readonly access: CheckSubscriber,
    private readonly writes: Writes,
    private readonly accounts: PayoutAccounts,
    private readonly customers: ProviderCustomers,
    private readonly prices: ProviderPrices,
    private readonly checkouts: CheckoutRepository,
    private readonly calls: ProviderCalls,
    private readonly sync: SyncCustomer,
    private readonly ask: AskProvider,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId, successUrl, cancelUrl }: OpenCheckoutRequest): Promise<ProviderPage> {
    const { userId } = requireCaller();
    const pair = { userId, coachId };
    const offer = await this.writes.run((transaction) => this.offerTo(pair, transaction));
    requireProvider(this.provider);
    const account = await this.accounts.requireReady(await this.accounts.find(coachId));
    await this.refuseSecond(pair, offer, account.id);
    // Before the check that the page is made after.
    const made = await this.madeFor(pair, offer, account.id);
    return { url: await this.pageOf(pair, offer, { ...made, accountId: account.id, successUrl, cancelUrl }) };
  }

  /** The provider's customer and price, where the charges will be. */
  private async madeFor({ userId, coachId }: Pair, { amountMinor, currency }: Offer, accountId: string) {
    const seller = this.provider.isDirect ? accountId : null;
    const customerId = await this.customers.ensure(userId, currency, seller);
    return { customerId, priceId: await this.prices.ensure(coachId, { amountMinor, currency }, seller) };
  }

  /** What the caller may buy now. */
  private async offerTo(pair: Pair, transaction: Transaction): Promise<Offer> {
    const { before, price } = await this.access.execute(pair, transaction);
    if (before && givesAccess(before, this.clock.now())) throw subscribedAlready();
    const { priceMinor, currency } = price;
    if (priceMinor === null) throw priceNotSet();
    if (priceMinor === 0) throw nothingToPay();
    return { amountMinor: priceMinor, currency: currency as Currency };
  }

  /** Billing may not know yet what the caller has paid: the provider does, whichever kind of charges there was then. */
  private async refuseSecond(pair: Pair, { currency }: Offer, accountId: string): Promise<void> {
    for (const account of [null, accountId]) {
      const customerId = await this.customers.find(pair.userId, currency, account);
      if (customerId) await this.refuseLiving(customerId, pair);
    }
  }

  private async refuseLiving(customerId: string, { userId, coachId }: Pair): Promise<void> {
    const found = await this.ask.execute((provider, signal) => provider.subscriptionsOf(customerId, signal));
    const isLiving = found.some(
      ({ pair, status }) =>
        pair.userId === userId && pair.coachId === coachId && (status === 'active' || status === 'past_due'),
    );
    if (!isLiving) return;
    // Access follows from what was paid.
    await this.ask.execute((_, signal) => this.sync.execute(customerId, signal));
    throw subscribedAlready();
  }

  private async pageOf(pair: Pair, offer: Offer, parts: Parts): Promise<string> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await this.writes.run((transaction) => this.lockPage(pair, offer, transaction));
      const url = page.state === 'opening' ? await this.open(page, offer, parts) : undefined;
      if (url && isSameOffer(page, offer)) return url;
      const present = await this.present(page, offer);
      if (present.state === 'open' && present.url) return present.url;
      // What was paid on it may have ended since.
      if (present.state === 'complete') await this.refuseLiving(present.customerId, pair);
    }
    throw outcomeUnknown();
  }

  /** The pair's page, or a new one that is still to be opened. */
  private async lockPage(pair: Pair, offer: Offer, transaction: Transaction): Promise<Checkout> {
    const now = this.clock.now();
    const present = await this.offerTo(pair, transaction);
    if (!isSameOffer(present, offer)) throw priceChanged();
    const known = await this.checkouts.open(pair, transaction);
    if (known && known.expiresAt.getTime() > now) return known;
    // The provider closes it at the same time.
    if (known) await this.checkouts.close(known.id, 'expired', transaction);
    const made = {
      ...{ ...pair, ...offer, id: newIdAt(now) },
      ...{ createdAt: new Date(now), expiresAt: new Date(now + OPEN_MS) },
    };
    await this.checkouts.add(made, transaction);
    return { ...made, checkoutId: null, url: null, state: 'opening' };
  }

  /** With the page's own offer, which may be of before a change. Undefined where another press has opened it. */
  private async open(page: Checkout, offer: Offer, parts: Parts): Promise<string | undefined> {
    const { id, userId, coachId } = page;
    const made = isSameOffer(page, offer) ? {} : await this.madeFor(page, page, parts.accountId);
    const expiresAt = page.expiresAt.getTime();
    try {
      const request = { userId, coachId, ...parts, ...made, expiresAt };
      const { url } = await this.calls.createCheckout.run({ caller: `user:${userId}`, key: id }, request);
      return url ?? undefined;
    } catch (error) {
      // The other press has sent its own return addresses.
      if (!(error instanceof DomainError) || error.code !== 'idempotency-key-reused') throw error;
      await this.untilOpened(id);
      return undefined;
    }
  }

  /** Throws `outcome-unknown` where the other press has no answer in time. */
  private async untilOpened(id: string): Promise<void> {
    for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
      const { state } = (await this.checkouts.find(id))!;
      if (state === 'failed') throw unavailable();
      if (state !== 'opening') return;
      await pause(LOOK_MS);
    }
    throw outcomeUnknown();
  }

  /** The page as the provider has it now; one with another price than the coach's is closed there first. */
  private async present(page: Checkout, offer: Offer): Promise<ProviderCheckout> {
    const { id, userId, checkoutId } = (await this.checkouts.find(page.id))!;
    if (checkoutId === null) throw outcomeUnknown();
    let present = await this.read(checkoutId);
    if (present.state === 'open' && !isSameOffer(page, offer)) {
      const call = this.calls.expireCheckout.run({ caller: `user:${userId}`, key: id }, { checkoutId });
      // It is refused to be closed where it was paid meanwhile.
      present = await call.catch((error: unknown) => this.closedMeanwhile(checkoutId, error));
    }
    if (present.state !== 'open') await this.checkouts.close(id, present.state);
    return present;
  }

  private async closedMeanwhile(checkoutId: string, error: unknown): Promise<ProviderCheckout> {
    const present = await this.read(checkoutId);
    if (present.state === 'open') throw error;
    return present;
  }

  private read(checkoutId: string): Promise<ProviderCheckout> {
    return this.ask.execute((provider, signal) => provider.checkout(checkoutId, signal));
  }
}

const isSameOffer = (one: Offer, other: Offer) =>
  one.amountMinor === other.amountMinor && one.currency === other.currency;
