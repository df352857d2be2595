import type { Books } from '../books.js';
import { endpoint, listed } from '../http/endpoint.js';
import { currency, flag, integer, mergeMetadata, metadata, paging, text } from '../http/parameters.js';
import { invalid } from '../http/stripe-error.js';
import { requireTransfers } from './account.js';

/** Money that the platform has handed on to a connected account. */
export interface Transfer {
  id: string;
  object: 'transfer';
  amount: number;
  amount_reversed: number;
  created: number;
  currency: string;
  description: string | null;
  destination: string;
  livemode: false;
  metadata: Record<string, string>;
  reversed: boolean;
  /** The charge that it is a part of; null for one by the platform's own decision. */
  source_transaction: string | null;
  source_type: 'card';
}

export interface TransferReversal {
  id: string;
  object: 'transfer_reversal';
  amount: number;
  balance_transaction: null;
  created: number;
  currency: string;
  destination_payment_refund: null;
  metadata: Record<string, string>;
  source_refund: string | null;
  transfer: string;
}

type NewTransfer = Pick<Transfer, 'amount' | 'currency' | 'destination' | 'source_transaction'> &
  Partial<Pick<Transfer, 'description' | 'metadata'>>;

/** Hands money on. */
export function newTransfer(books: Books, given: NewTransfer): Transfer {
  const transfer = books.put('transfer', {
    id: books.newId('tr_'),
    object: 'transfer',
    amount_reversed: 0,
    created: books.now,
    description: null,
    livemode: false,
    metadata: {},
    reversed: false,
    source_type: 'card',
    ...given,
  });
  books.emit('transfer.created', transfer);
  return transfer;
}

/** Takes a part of a transfer back from the connected account. Throws Stripe's error for more than is left of it. */
export function reverse(
  books: Books,
  transfer: Transfer,
  given: { amount: number; metadata?: Record<string, string>; refund?: string },
): TransferReversal {
  const left = transfer.amount - transfer.amount_reversed;
  if (given.amount < 1)
    throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  if (given.amount > left)
    throw invalid(
      `Transfer reversal amount (${given.amount}) is greater than the unreversed amount (${left}).`,
      {
        param: 'amount',
      },
    );
  const reversal = books.put('transfer_reversal', {
    id: books.newId('trr_'),
    object: 'transfer_reversal',
    amount: given.amount,
    balance_transaction: null,
    created: books.now,
    currency: transfer.currency,
    destination_payment_refund: null,
    metadata: given.metadata ?? {},
    source_refund: given.refund ?? null,
    transfer: transfer.id,
  });
  const amount = transfer.amount_reversed + given.amount;
  const reversed = books.put('transfer', {
    ...transfer,
    amount_reversed: amount,
    reversed: amount === transfer.amount,
  });
  books.emit('transfer.reversed', reversed);
  return reversal;
}

export const transferEndpoints = [
  endpoint('GET', '/v1/transfers/:id', {}, ({ books, id }) => books.get('transfer', id)),
  endpoint(
    'GET',
    '/v1/transfers',
    { ...paging, destination: text.optional() },
    ({ books, parameters: { destination } }) =>
      listed(
        books.all('transfer').filter((one) => destination === undefined || one.destination === destination),
      ),
  ),
  endpoint(
    'POST',
    '/v1/transfers',
    {
      amount: integer.refine((value) => value > 0, 'must be positive'),
      currency,
      description: text.optional(),
      destination: text,
      metadata: metadata.optional(),
    },
    ({ books, parameters: { metadata: own, ...given } }) => {
      requireTransfers(books, given.destination, 'destination');
      return newTransfer(books, { ...given, source_transaction: null, metadata: mergeMetadata({}, own) });
    },
  ),
  endpoint(
    'POST',
    '/v1/transfers/:id/reversals',
    {
      amount: integer.optional(),
      metadata: metadata.optional(),
      refund_application_fee: flag.refine((value) => !value, 'the simulator keeps the fee').optional(),
    },
    ({ books, id, parameters }) => {
      const transfer = books.get('transfer', id);
      return reverse(books, transfer, {
        amount: parameters.amount ?? transfer.amount - transfer.amount_reversed,
        metadata: mergeMetadata({}, parameters.metadata),
      });
    },
  ),
  endpoint('GET', '/v1/transfers/:id/reversals', paging, ({ books, id }) => {
    const { id: transfer } = books.get('transfer', id);
    return listed(books.all('transfer_reversal').filter((one) => one.transfer === transfer));
  }),
];
