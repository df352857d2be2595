import type Stripe from 'stripe';
import type { PayersDispute, ProviderDispute } from '../provider/payment-provider.js';
import { all, idOf, within } from './stripe-client.js';
import { idAt, optionsOf, type Place, placeOf } from './stripe-place.js';

const PAGE = 100;
/** No bank takes a dispute of an older payment. */
const DISPUTABLE_SECONDS = 540 * 24 * 60 * 60;

/** Disputes as Stripe has them now. Inquiries, whose states begin with `warning_`, are none: they take no money. */
export class StripeDisputes {
  constructor(
    private readonly stripe: Stripe,
    private readonly now: () => number,
  ) {}

  /** Of the payments of a customer's subscriptions, by the subscription's id. */
  async ofCustomer(
    { account, id: customer }: Place,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ProviderDispute[]>> {
    const found = new Map<string, ProviderDispute[]>();
    const charges = this.stripe.charges.list(
      { customer, created: this.disputable(), limit: PAGE },
      optionsOf(account),
    );
    for await (const charge of all(charges, signal)) {
      const intent = idOf(charge.payment_intent);
      if (!charge.disputed || intent === null) continue;
      const disputes = await this.ofCharge({ account, id: charge.id }, intent, signal);
      const subscriptionId =
        disputes.length > 0 && (await this.subscriptionOf({ account, id: intent }, signal));
      if (subscriptionId) found.set(subscriptionId, [...(found.get(subscriptionId) ?? []), ...disputes]);
    }
    return found;
  }

  async payerOf(disputeId: string, signal: AbortSignal): Promise<string | null> {
    const { account, id } = placeOf(disputeId);
    const dispute = await within(signal, () =>
      this.stripe.disputes.retrieve(id, { expand: ['charge'] }, optionsOf(account)),
    );
    return payerOf(dispute, account);
  }

  async *all(account: string | null, signal: AbortSignal): AsyncGenerator<PayersDispute> {
    const list = this.stripe.disputes.list(
      { created: this.disputable(), limit: PAGE, expand: ['data.charge'] },
      optionsOf(account),
    );
    for await (const dispute of all(list, signal)) {
      const [state, customerId] = [STATE[dispute.status], payerOf(dispute, account)];
      if (state && customerId) yield { id: idAt(account, dispute.id), state, customerId };
    }
  }

  private async ofCharge(
    { account, id: charge }: Place,
    intent: string,
    signal: AbortSignal,
  ): Promise<ProviderDispute[]> {
    const paymentId = idAt(account, intent);
    const { data } = await within(signal, () =>
      this.stripe.disputes.list({ charge, limit: PAGE }, optionsOf(account)),
    );
    return data.flatMap(({ id, amount, status }) => {
      const state = STATE[status];
      return state ? [{ id: idAt(account, id), paymentId, amountMinor: amount, state }] : [];
    });
  }

  /** Null for a payment of something else than a subscription. */
  private async subscriptionOf({ account, id }: Place, signal: AbortSignal): Promise<string | null> {
    const { data } = await within(signal, () =>
      this.stripe.invoicePayments.list(
        {
          payment: { type: 'payment_intent', payment_intent: id },
          ...{ limit: 1, expand: ['data.invoice'] },
        },
        optionsOf(account),
      ),
    );
    const invoice = data[0]?.invoice;
    const parent = typeof invoice === 'object' && 'parent' in invoice ? invoice.parent : null;
    return idAt(account, idOf(parent?.subscription_details?.subscription));
  }

  private disputable() {
    return { gte: Math.floor(this.now() / 1000) - DISPUTABLE_SECONDS };
  }
}

const payerOf = ({ charge }: Stripe.Dispute, account: string | null): string | null =>
  typeof charge === 'object' ? idAt(account, idOf(charge.customer)) : null;

/** A lost one that is appealed is open again; one that was prevented has become a refund. */
const STATE: Readonly<Record<string, ProviderDispute['state']>> = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  lost: 'lost',
  won: 'won',
};
