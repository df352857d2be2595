import Stripe from 'stripe';
import type {
  CallContext,
  PaymentProvider,
  ProviderAccount,
  ProviderCheckout,
  Rendered,
} from '../provider/payment-provider.js';
import { idOf, onceFor, within } from './stripe-client.js';
import { as, madeSince, newest, rendered, type StripeCallParts } from './stripe-made.js';
import { openInvoices, voidOpenInvoices } from './stripe-open-invoices.js';
import { giveShareBack, takeShareBack } from './stripe-shares.js';

const PAGE = 100;

type Calls = PaymentProvider['calls'];

export function stripeCalls(parts: StripeCallParts): Calls {
  return {
    createCustomer: createCustomer(parts),
    createPrice: createPrice(parts),
    createAccount: createAccount(parts),
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
    render: (customer) => rendered<Stripe.CustomerCreateParams>({ metadata: metadata.ofCustomer(customer) }),
    async make(params, context) {
      const { id } = await within(context.signal, () =>
        stripe.customers.create(as<Stripe.CustomerCreateParams>(params), onceFor(context)),
      );
      return { customerId: id };
    },
    async find(params, { signal }) {
      const found = await newest(signal, stripe.customers.list(madeSince(now())), params);
      return found && { customerId: found.id };
    },
  };
}

function createPrice({ stripe, metadata }: StripeCallParts): Calls['createPrice'] {
  const find: Calls['createPrice']['find'] = async (params, { signal }) => {
    const { lookup_key: key } = as<{ lookup_key: string }>(params);
    const { data } = await within(signal, () => stripe.prices.list({ lookup_keys: [key], limit: 1 }));
    return data[0] && { priceId: data[0].id };
  };
  return {
    render: ({ coachName, ...price }) =>
      rendered<Stripe.PriceCreateParams>({
        unit_amount: price.amountMinor,
        currency: price.currency.toLowerCase(),
        recurring: { interval: 'month' },
        lookup_key: metadata.priceKeyOf(price),
        metadata: metadata.ofCoach(price.coachId),
        product_data: { name: coachName, metadata: metadata.ofCoach(price.coachId) },
      }),
    async make(params, context) {
      try {
        const { id } = await within(context.signal, () =>
          stripe.prices.create(as<Stripe.PriceCreateParams>(params), onceFor(context)),
        );
        return { priceId: id };
      } catch (error) {
        // The name is taken by the same price, which a database restored from a backup has forgotten.
        const isTaken = error instanceof Stripe.errors.StripeError && error.param === 'lookup_key';
        const found = isTaken ? await find(params, context) : undefined;
        if (found) return found;
        throw error;
      }
    },
    find,
  };
}

function createAccount({ stripe, metadata, now }: StripeCallParts): Calls['createAccount'] {
  return {
    render: ({ coachId }) =>
      rendered<Stripe.AccountCreateParams>({
        type: 'express',
        capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
        metadata: metadata.ofCoach(coachId),
      }),
    make: async (params, context) =>
      toAccount(
        await within(context.signal, () =>
          stripe.accounts.create(as<Stripe.AccountCreateParams>(params), onceFor(context)),
        ),
      ),
    async find(params, { signal }) {
      const found = await newest(signal, stripe.accounts.list(madeSince(now())), params);
      return found && toAccount(found);
    },
  };
}

function createCheckout({ stripe, metadata, feePercent, now }: StripeCallParts): Calls['createCheckout'] {
  return {
    render: ({ userId, coachId, customerId, priceId, accountId, ...page }) => {
      const marks = metadata.ofPair({ userId, coachId });
      return rendered<Stripe.Checkout.SessionCreateParams>({
        mode: 'subscription',
        customer: customerId,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: page.successUrl,
        cancel_url: page.cancelUrl,
        expires_at: Math.floor(page.expiresAt / 1000),
        metadata: marks,
        subscription_data: {
          metadata: marks,
          transfer_data: { destination: accountId },
          ...(feePercent > 0 && { application_fee_percent: feePercent }),
        },
      });
    },
    make: async (params, context) =>
      toCheckout(
        await within(context.signal, () =>
          stripe.checkout.sessions.create(as<Stripe.Checkout.SessionCreateParams>(params), onceFor(context)),
        ),
      ),
    async find(params, { signal }) {
      const { customer, expires_at } = as<{ customer: string; expires_at: number }>(params);
      const sessions = stripe.checkout.sessions.list({ customer, ...madeSince(now()) });
      const found = await newest(signal, sessions, params, (session) => session.expires_at === expires_at);
      return found && toCheckout(found);
    },
  };
}

function expireCheckout({ stripe }: StripeCallParts): Calls['expireCheckout'] {
  const read = async (id: string, { signal }: CallContext) =>
    toCheckout(await within(signal, () => stripe.checkout.sessions.retrieve(id)));
  const closed = async (params: Rendered, context: CallContext): Promise<ProviderCheckout | undefined> => {
    const checkout = await read(as<{ id: string }>(params).id, context);
    return checkout.state === 'open' ? undefined : checkout;
  };
  return {
    render: ({ checkoutId }) => rendered({ id: checkoutId }),
    make: (params, context) =>
      orAsItIs(
        async () =>
          toCheckout(
            await within(context.signal, () =>
              stripe.checkout.sessions.expire(as<{ id: string }>(params).id, {}, onceFor(context)),
            ),
          ),
        () => closed(params, context),
      ),
    find: closed,
  };
}

function setCancelAtPeriodEnd({ stripe, reads }: StripeCallParts): Calls['setCancelAtPeriodEnd'] {
  return {
    render: ({ subscriptionId, cancelAtPeriodEnd }) =>
      rendered({ id: subscriptionId, cancel_at_period_end: cancelAtPeriodEnd }),
    async make(params, context) {
      const { id, ...changes } = as<{ id: string } & Stripe.SubscriptionUpdateParams>(params);
      await within(context.signal, () => stripe.subscriptions.update(id, changes, onceFor(context)));
      return reads.subscription(id, context.signal);
    },
    async find(params, { signal }) {
      const { id, cancel_at_period_end } = as<{ id: string; cancel_at_period_end: boolean }>(params);
      const present = await reads.subscription(id, signal);
      return present.cancelAtPeriodEnd === cancel_at_period_end ? present : undefined;
    },
  };
}

function cancelNow({ stripe, reads }: StripeCallParts): Calls['cancelNow'] {
  const ended = async (params: Rendered, { signal }: CallContext) => {
    const present = await reads.subscription(as<{ id: string }>(params).id, signal);
    return present.status === 'cancelled' ? present : undefined;
  };
  return {
    render: ({ subscriptionId }) => rendered({ id: subscriptionId, invoice_now: false, prorate: false }),
    async make(params, context) {
      const present = await orAsItIs(
        async () => {
          const { id, ...how } = as<{ id: string } & Stripe.SubscriptionCancelParams>(params);
          // Stripe ignores the key of a DELETE: a repetition is refused, and then it has ended.
          await within(context.signal, () => stripe.subscriptions.cancel(id, how, onceFor(context)));
          return reads.subscription(id, context.signal);
        },
        () => ended(params, context),
      );
      await voidOpenInvoices(stripe, present.id, context);
      return present;
    },
    async find(params, context) {
      const present = await ended(params, context);
      const open = present ? await openInvoices(stripe, present.id, context.signal) : [];
      return open.length === 0 ? present : undefined;
    },
  };
}

function refund({ stripe, metadata, feePercent }: StripeCallParts): Calls['refund'] {
  return {
    render: ({ paymentId, amountMinor, reason }) =>
      rendered<Stripe.RefundCreateParams>({
        payment_intent: paymentId,
        amount: amountMinor,
        // The coach gives back the share, and the platform the fee.
        reverse_transfer: true,
        ...(feePercent > 0 && { refund_application_fee: true }),
        metadata: metadata.ofRefund(reason),
      }),
    async make(params, context) {
      const { id, amount } = await within(context.signal, () =>
        stripe.refunds.create(as<Stripe.RefundCreateParams>(params), onceFor(context)),
      );
      return { refundId: id, amountMinor: amount };
    },
    async find(params, { signal }) {
      const { payment_intent, amount } = as<{ payment_intent: string; amount: number }>(params);
      const found = await newest(
        signal,
        stripe.refunds.list({ payment_intent, limit: PAGE }),
        params,
        (made) => made.amount === amount && made.status !== 'failed' && made.status !== 'canceled',
      );
      return found && { refundId: found.id, amountMinor: found.amount };
    },
  };
}

export const toAccount = ({ id, capabilities }: Stripe.Account): ProviderAccount => ({
  id,
  isReady: capabilities?.transfers === 'active',
});

export const toCheckout = (session: Stripe.Checkout.Session): ProviderCheckout => ({
  id: session.id,
  url: session.url,
  // Null only for sessions of kinds that Pulso does not make.
  state: (session.status ?? 'open') as ProviderCheckout['state'],
  expiresAt: session.expires_at * 1000,
  customerId: idOf(session.customer) ?? '',
  subscriptionId: idOf(session.subscription),
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
