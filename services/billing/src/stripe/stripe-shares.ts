import type Stripe from 'stripe';
import type { CallContext, PaymentProvider, Rendered } from '../provider/payment-provider.js';
import { onceFor, within } from './stripe-client.js';
import { madeSince, newest, rendered, sentTo, type StripeCallParts } from './stripe-made.js';
import type { StripeMetadata } from './stripe-metadata.js';
import { placeOf } from './stripe-place.js';

const PAGE = 100;

type Calls = PaymentProvider['calls'];

interface Share {
  payment_intent: string;
  /** Taking: what is disputed. Giving: what was taken. */
  amount: number;
  metadata: Stripe.MetadataParam;
}

/**
 * The coach's part of a disputed payment: what was handed on of it, without the platform's fee, which the platform keeps. Each
 * call looks for what it has made before it makes it: it is made once, whatever its key.
 */
export function takeShareBack({ stripe, metadata }: StripeCallParts): Calls['takeShareBack'] {
  const taken = async ({ id }: Handed, params: Rendered, { signal }: CallContext) => {
    const found = await newest(signal, stripe.transfers.listReversals(id, { limit: PAGE }), params);
    return found && { amountMinor: found.amount };
  };
  return {
    render: shareIn(metadata),
    async make(params, context) {
      const handed = await handedOn(stripe, params, context.signal);
      if (!handed) return { amountMinor: 0 };
      const found = await taken(handed, params, context);
      if (found) return found;
      const { amount: disputed, metadata: marks } = sentTo<Share>(params).params;
      const amount = shareOf(handed, disputed);
      if (amount > 0)
        await within(context.signal, () =>
          stripe.transfers.createReversal(handed.id, { amount, metadata: marks }, onceFor(context, null)),
        );
      return { amountMinor: amount };
    },
    async find(params, context) {
      const handed = await handedOn(stripe, params, context.signal);
      return handed && taken(handed, params, context);
    },
  };
}

export function giveShareBack({ stripe, metadata, now }: StripeCallParts): Calls['giveShareBack'] {
  const given = async ({ destination }: Handed, params: Rendered, { signal }: CallContext) => {
    const found = await newest(signal, stripe.transfers.list({ destination, ...madeSince(now()) }), params);
    return found && { amountMinor: found.amount };
  };
  return {
    render: shareIn(metadata),
    async make(params, context) {
      const handed = await handedOn(stripe, params, context.signal);
      if (!handed) throw new Error('Nothing was handed on of this payment, so nothing can be given back');
      const found = await given(handed, params, context);
      if (found) return found;
      const { destination, currency } = handed;
      const { amount, metadata: marks } = sentTo<Share>(params).params;
      await within(context.signal, () =>
        stripe.transfers.create({ destination, currency, amount, metadata: marks }, onceFor(context, null)),
      );
      return { amountMinor: amount };
    },
    async find(params, context) {
      const handed = await handedOn(stripe, params, context.signal);
      return handed && given(handed, params, context);
    },
  };
}

const shareIn =
  (metadata: StripeMetadata) =>
  ({ disputeId, paymentId, amountMinor }: { disputeId: string; paymentId: string; amountMinor: number }) => {
    const { account, id } = placeOf(paymentId);
    const marks = metadata.ofDispute(disputeId);
    return rendered<Share>({ payment_intent: id, amount: amountMinor, metadata: marks }, account);
  };

/** What a payment has handed on to the coach's account, and what of it is left; undefined where it has handed on nothing. */
interface Handed {
  id: string;
  destination: string;
  currency: string;
  /** What was not taken back, with the platform's fee. */
  amount: number;
  /** The platform's part of `amount`. */
  fee: number;
}

/** The coach's part of what is disputed, rounded down. */
function shareOf({ amount, fee }: Handed, disputed: number): number {
  return amount > 0 ? Math.floor((Math.min(disputed, amount) * Math.max(0, amount - fee)) / amount) : 0;
}

async function handedOn(stripe: Stripe, params: Rendered, signal: AbortSignal): Promise<Handed | undefined> {
  const { account, params: share } = sentTo<Share>(params);
  // A direct charge is the coach's own, and so is its dispute: nothing was handed on.
  if (account !== null) return undefined;
  const expand = ['latest_charge.transfer', 'latest_charge.application_fee'];
  const { latest_charge: charge } = await within(signal, () =>
    stripe.paymentIntents.retrieve(share.payment_intent, { expand }),
  );
  const transfer = typeof charge === 'object' ? charge?.transfer : undefined;
  if (!charge || typeof charge !== 'object' || typeof transfer !== 'object') return undefined;
  const { application_fee: fee } = charge;
  const { destination, amount, amount_reversed: reversed } = transfer;
  return {
    ...{ id: transfer.id, currency: transfer.currency, amount: amount - reversed },
    destination: typeof destination === 'string' ? destination : destination!.id,
    fee: fee && typeof fee === 'object' ? fee.amount - fee.amount_refunded : 0,
  };
}
