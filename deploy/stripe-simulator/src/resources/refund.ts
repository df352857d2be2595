import { z } from 'zod';
import type { Books } from '../books.js';
import { endpoint, listed } from '../http/endpoint.js';
import { flag, integer, mergeMetadata, metadata, paging, text } from '../http/parameters.js';
import { invalid } from '../http/stripe-error.js';
import { disputeOf } from './dispute.js';
import type { Charge, Refund } from './payment.js';
import { reverse } from './transfer.js';

const creation = {
  amount: integer.optional(),
  charge: text.optional(),
  metadata: metadata.optional(),
  payment_intent: text.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  refund_application_fee: flag.optional(),
  reverse_transfer: flag.optional(),
};
type Creation = z.output<z.ZodObject<typeof creation>>;

function chargeOf(books: Books, { charge, payment_intent: intent }: Creation): Charge {
  if ((charge === undefined) === (intent === undefined))
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  if (charge !== undefined) return books.get('charge', charge, 'charge');
  const { latest_charge: latest, status } = books.get('payment_intent', intent!, 'payment_intent');
  if (latest === null || status !== 'succeeded')
    throw invalid(`This PaymentIntent (${intent}) does not have a successful charge to refund.`, {
      code: 'payment_intent_unexpected_state',
      param: 'payment_intent',
    });
  return books.get('charge', latest);
}

/** The part of `whole` that a refund of `amount` of the charge takes back; the last refund takes the rest. */
function share(charge: Charge, amount: number, whole: number, taken: number): number {
  const isLast = charge.amount_refunded + amount === charge.amount;
  return isLast ? whole - taken : Math.min(Math.round((whole * amount) / charge.amount), whole - taken);
}

function createRefund(books: Books, parameters: Creation): Refund {
  const charge = chargeOf(books, parameters);
  const left = charge.amount - charge.amount_refunded;
  const amount = parameters.amount ?? left;
  if (charge.status !== 'succeeded') throw invalid(`Charge ${charge.id} was not successful.`);
  if (disputeOf(books, charge.id)?.is_charge_refundable === false)
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount < 1)
    throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  if (amount > left)
    throw invalid(
      `Refund amount (${money(amount)}) is greater than unrefunded amount on charge (${money(left)})`,
      { param: 'amount' },
    );
  const id = books.newId('re_');
  const reversal = parameters.reverse_transfer ? reverseTransfer(books, charge, amount, id) : null;
  if (parameters.refund_application_fee) refundFee(books, charge, amount);
  const refund = books.put('refund', {
    id,
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: books.now,
    currency: charge.currency,
    customer: charge.customer,
    metadata: mergeMetadata({}, parameters.metadata),
    payment_intent: charge.payment_intent,
    reason: parameters.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: reversal,
  });
  const refunded = books.put('charge', {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  });
  books.emit('refund.created', refund);
  books.emit('charge.refunded', refunded, { amount_refunded: charge.amount_refunded });
  return refund;
}

/** Takes the coach's part back from the connected account. @returns the id of the reversal; null where nothing is left */
function reverseTransfer(books: Books, charge: Charge, amount: number, refund: string): string | null {
  if (charge.transfer === undefined)
    throw invalid('Cannot reverse transfer on a charge that does not have an associated transfer.', {
      param: 'reverse_transfer',
    });
  const transfer = books.get('transfer', charge.transfer);
  const taken = share(charge, amount, transfer.amount, transfer.amount_reversed);
  return taken === 0 ? null : reverse(books, transfer, { amount: taken, refund }).id;
}

function refundFee(books: Books, charge: Charge, amount: number): void {
  if (charge.application_fee === null)
    throw invalid('Cannot refund application fee on a charge that does not have one.', {
      param: 'refund_application_fee',
    });
  const platform = books.of(null);
  const fee = platform.get('application_fee', charge.application_fee);
  const taken = fee.amount_refunded + share(charge, amount, fee.amount, fee.amount_refunded);
  const refunded = platform.put('application_fee', {
    ...fee,
    amount_refunded: taken,
    refunded: taken === fee.amount,
  });
  platform.emit('application_fee.refunded', refunded);
}

const money = (minor: number) => `$${(minor / 100).toFixed(2)}`;

export const refundEndpoints = [
  endpoint('POST', '/v1/refunds', creation, ({ books, parameters }) => createRefund(books, parameters)),
  endpoint('GET', '/v1/refunds/:id', {}, ({ books, id }) => books.get('refund', id)),
  endpoint(
    'GET',
    '/v1/refunds',
    { ...paging, charge: text.optional(), payment_intent: text.optional() },
    ({ books, parameters: { charge, payment_intent: intent } }) =>
      listed(
        books
          .all('refund')
          .filter(
            (one) =>
              (charge === undefined || one.charge === charge) &&
              (intent === undefined || one.payment_intent === intent),
          ),
      ),
  ),
];
