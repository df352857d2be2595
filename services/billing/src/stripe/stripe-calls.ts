import Stripe from 'stripe';
import type {
  CallContext,
  PaymentProvider,
  ProviderCheckout,
  Rendered,
} from '../provider/payment-provider.js';
import { idOf, onceFor, within } from './stripe-client.js';
import { madeSince, newest, rendered, sentTo, type StripeCallParts } from './stripe-made.js';
import { openInvoices, voidOpenInvoices } from './stripe-open-invoices.js';
import { idAt, optionsOf, placeOf } from './stripe-place.js';
import { giveShareBack, takeShareBack } from './stripe-shares.js';

const PAGE = 100;

type Calls = PaymentProvider['calls'];

/** Those about accounts are of `stripeAccounts`. */
export function stripeCalls(parts: StripeCallParts): Omit<Calls, 'createAccount'> {
  return {
    createCustomer: createCustomer(parts),
    createPrice: createPrice(parts),
    createCheckout: createCheckout(parts),
    expireCheckout: expireCheckout(parts),
    setCancelAtPeriodEnd: setCancelAtPeriodEnd(parts),
    cancelNow: cancelNow(parts),
    refund: refund(parts),
    takeShareBack: takeShareBack(parts),
    giveShareBack: giveShareBack(parts),
  };
}

function createCustomer({ stripe, metadata, now }: StripeCallParts): Calls['createCustomer'] {
  return {
    render: ({ accountId = null, ...customer }) =>
      rendered<Stripe.CustomerCreateParams>({ metadata: metadata.ofCustomer(customer) }, accountId),
    async make(given, context) {
      const { account, params } = sentTo<Stripe.CustomerCreateParams>(given);
      const { id } = await within(context.signal, () =>
        stripe.customers.create(params, onceFor(context, account)),
      );
      return { customerId: idAt(account, id) };
    },
    async find(given, { signal }) {
      const { account } = sentTo(given);
      const found = await newest(signal, stripe.customers.list(madeSince(now()), optionsOf(account)), given);
      return found && { customerId: idAt(account, found.id) };
    },
  };
}

function createPrice({ stripe, metadata }: StripeCallParts): Calls['createPrice'] {
  const find: Calls['createPrice']['find'] = async (given, { signal }) => {
    const { account, params } = sentTo<{ lookup_key: string }>(given);
    const { data } = await within(signal, () =>
      stripe.prices.list({ lookup_keys: [params.lookup_key], limit: 1 }, optionsOf(account)),
    );
    return data[0] && { priceId: idAt(account, data[0].id) };
  };
  return {
    render: ({ coachName, accountId = null, ...price }) =>
      rendered<Stripe.PriceCreateParams>(
        {
          unit_amount: price.amountMinor,
          currency: price.currency.toLowerCase(),
          recurring: { interval: 'month' },
          lookup_key: metadata.priceKeyOf(price),
          metadata: metadata.ofCoach(price.coachId),
          product_data: { name: coachName, metadata: metadata.ofCoach(price.coachId) },
        },
        accountId,
      ),
    async make(given, context) {
      const { account, params } = sentTo<Stripe.PriceCreateParams>(given);
      try {
        const { id } = await within(context.signal, () =>
          stripe.prices.create(params, onceFor(context, account)),
        );
        return { priceId: idAt(account, id) };
      } catch (error) {
        // The name is taken by the same price, which a database restored from a backup has forgotten.
        const isTaken = error instanceof Stripe.errors.StripeError && error.param === 'lookup_key';
        const found = isTaken ? await find(given, context) : undefined;
        if (found) return found;
        throw error;
      }
    },
    find,
  };
}

function createCheckout({ stripe, metadata, feePercent, now }: StripeCallParts): Calls['createCheckout'] {
  return {
    // Where the customer is, the charges are: a page that was ordered before a change of the setting stays as it was.
    render: ({ userId, coachId, customerId, priceId, accountId, ...page }) => {
      const marks = metadata.ofPair({ userId, coachId });
      const { account, id: customer } = placeOf(customerId);
      return rendered<Stripe.Checkout.SessionCreateParams>(
        {
          mode: 'subscription',
          customer,
          line_items: [{ price: placeOf(priceId).id, quantity: 1 }],
          success_url: page.successUrl,
          cancel_url: page.cancelUrl,
          expires_at: Math.floor(page.expiresAt / 1000),
          metadata: marks,
          subscription_data: {
            metadata: marks,
            ...(account === null && { transfer_data: { destination: accountId } }),
            ...(feePercent > 0 && { application_fee_percent: feePercent }),
          },
        },
        account,
      );
    },
    async make(given, context) {
      const { account, params } = sentTo<Stripe.Checkout.SessionCreateParams>(given);
      const made = await within(context.signal, () =>
        stripe.checkout.sessions.create(params, onceFor(context, account)),
      );
      return toCheckout(made, account);
    },
    async find(given, { signal }) {
      const { account, params } = sentTo<{ customer: string; expires_at: number }>(given);
      const { customer, expires_at } = params;
      const sessions = stripe.checkout.sessions.list({ customer, ...madeSince(now()) }, optionsOf(account));
      const found = await newest(signal, sessions, given, (session) => session.expires_at === expires_at);
      return found && toCheckout(found, account);
    },
  };
}

function expireCheckout({ stripe }: StripeCallParts): Calls['expireCheckout'] {
  const closed = async (given: Rendered, { signal }: CallContext): Promise<ProviderCheckout | undefined> => {
    const { account, params } = sentTo<{ id: string }>(given);
    const read = await within(signal, () =>
      stripe.checkout.sessions.retrieve(params.id, undefined, optionsOf(account)),
    );
    const checkout = toCheckout(read, account);
    return checkout.state === 'open' ? undefined : checkout;
  };
  return {
    render: ({ checkoutId }) => {
      const { account, id } = placeOf(checkoutId);
      return rendered({ id }, account);
    },
    make: (given, context) =>
      orAsItIs(
        async () => {
          const { account, params } = sentTo<{ id: string }>(given);
          const made = await within(context.signal, () =>
            stripe.checkout.sessions.expire(params.id, {}, onceFor(context, account)),
          );
          return toCheckout(made, account);
        },
        () => closed(given, context),
      ),
    find: closed,
  };
}

function setCancelAtPeriodEnd({ stripe, reads }: StripeCallParts): Calls['setCancelAtPeriodEnd'] {
  return {
    render: ({ subscriptionId, cancelAtPeriodEnd }) => {
      const { account, id } = placeOf(subscriptionId);
      return rendered({ id, cancel_at_period_end: cancelAtPeriodEnd }, account);
    },
    async make(given, context) {
      const { account, params } = sentTo<{ id: string } & Stripe.SubscriptionUpdateParams>(given);
      const { id, ...changes } = params;
      await within(context.signal, () => stripe.subscriptions.update(id, changes, onceFor(context, account)));
      return reads.subscription({ account, id }, context.signal);
    },
    async find(given, { signal }) {
      const { account, params } = sentTo<{ id: string; cancel_at_period_end: boolean }>(given);
      const present = await reads.subscription({ account, id: params.id }, signal);
      return present.cancelAtPeriodEnd === params.cancel_at_period_end ? present : undefined;
    },
  };
}

function cancelNow({ stripe, reads }: StripeCallParts): Calls['cancelNow'] {
  const ended = async (given: Rendered, { signal }: CallContext) => {
    const { account, params } = sentTo<{ id: string }>(given);
    const present = await reads.subscription({ account, id: params.id }, signal);
    return present.status === 'cancelled' ? present : undefined;
  };
  return {
    render: ({ subscriptionId }) => {
      const { account, id } = placeOf(subscriptionId);
      return rendered({ id, invoice_now: false, prorate: false }, account);
    },
    async make(given, context) {
      const { account, params } = sentTo<{ id: string } & Stripe.SubscriptionCancelParams>(given);
      const { id, ...how } = params;
      const present = await orAsItIs(
        async () => {
          // Stripe ignores the key of a DELETE: a repetition is refused, and then it has ended.
          await within(context.signal, () => stripe.subscriptions.cancel(id, how, onceFor(context, account)));
          return reads.subscription({ account, id }, context.signal);
        },
        () => ended(given, context),
      );
      await voidOpenInvoices(stripe, { account, id }, context);
      return present;
    },
    async find(given, context) {
      const present = await ended(given, context);
      const open = present ? await openInvoices(stripe, placeOf(present.id), context.signal) : [];
      return open.length === 0 ? present : undefined;
    },
  };
}

function refund({ stripe, metadata, feePercent }: StripeCallParts): Calls['refund'] {
  return {
    render: ({ paymentId, amountMinor, reason }) => {
      const { account, id } = placeOf(paymentId);
      return rendered<Stripe.RefundCreateParams>(
        {
          payment_intent: id,
          amount: amountMinor,
          // The coach gives back the share, and the platform the fee. A direct charge is the coach's: there is nothing to take back.
          ...(account === null && { reverse_transfer: true }),
          ...(feePercent > 0 && { refund_application_fee: true }),
          metadata: metadata.ofRefund(reason),
        },
        account,
      );
    },
    async make(given, context) {
      const { account, params } = sentTo<Stripe.RefundCreateParams>(given);
      const { id, amount } = await within(context.signal, () =>
        stripe.refunds.create(params, onceFor(context, account)),
      );
      return { refundId: idAt(account, id), amountMinor: amount };
    },
    async find(given, { signal }) {
      const { account, params } = sentTo<{ payment_intent: string; amount: number }>(given);
      const { payment_intent, amount } = params;
      const found = await newest(
        signal,
        stripe.refunds.list({ payment_intent, limit: PAGE }, optionsOf(account)),
        given,
        (made) => made.amount === amount && made.status !== 'failed' && made.status !== 'canceled',
      );
      return found && { refundId: idAt(account, found.id), amountMinor: found.amount };
    },
  };
}

export const toCheckout = (session: Stripe.Checkout.Session, account: string | null): ProviderCheckout => ({
  id: idAt(account, session.id),
  url: session.url,
  // Null only for sessions of kinds that Pulso does not make.
  state: (session.status ?? 'open') as ProviderCheckout['state'],
  expiresAt: session.expires_at * 1000,
  customerId: idAt(account, idOf(session.customer) ?? ''),
  subscriptionId: idAt(account, idOf(session.subscription)),
});

/** What is closed already is refused to be closed, and is what was asked for. */
async function orAsItIs<T>(make: () => Promise<T>, read: () => Promise<T | undefined>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError;
    const present = isRefused ? await read() : undefined;
    if (present) return present;
    throw error;
  }
}
