import type { Books } from '../books.js';
import { DAY } from '../clock.js';
import { endpoint, listed } from '../http/endpoint.js';
import { paging, text } from '../http/parameters.js';
import { invalid } from '../http/stripe-error.js';
import type { Charge } from './payment.js';

type Status =
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed';

/** What a dispute has moved of the platform's balance; in minor units. */
export interface BalanceTransaction {
  id: string;
  object: 'balance_transaction';
  amount: number;
  available_on: number;
  created: number;
  currency: string;
  description: string;
  exchange_rate: null;
  fee: number;
  fee_details: { amount: number; application: null; currency: string; description: string; type: string }[];
  net: number;
  reporting_category: 'dispute' | 'dispute_reversal';
  source: string;
  status: 'available';
  type: 'adjustment';
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: string;
  created: number;
  currency: string;
  enhanced_eligibility_types: never[];
  evidence_details: {
    due_by: number | null;
    has_evidence: boolean;
    past_due: boolean;
    submission_count: number;
  };
  is_charge_refundable: boolean;
  livemode: false;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: 'fraudulent';
  status: Status;
}

/** What Stripe takes for a dispute, in minor units, whoever wins. */
const FEE = 1_500;
const ANSWERED_WITHIN = 7 * DAY;

const isInquiry = ({ status }: Dispute) => status.startsWith('warning_');
const isClosed = ({ status }: Dispute) =>
  status === 'won' || status === 'lost' || status === 'warning_closed';

/** What can become of a dispute now. */
export function movesOf(one: Dispute): readonly ('answer' | 'escalate' | 'win' | 'lose')[] {
  if (isClosed(one)) return [];
  if (isInquiry(one)) return ['answer', 'escalate', 'win', 'lose'];
  return ['answer', 'win', 'lose'];
}

/** The charge's one dispute. */
export const disputeOf = (books: Books, charge: string): Dispute | undefined =>
  books.all('dispute').find((one) => one.charge === charge);

/** The owner of the card disputes a charge at the bank, which takes the money at once; an inquiry only asks. */
export function openDispute(books: Books, charge: Charge, isOnlyInquiry: boolean): Dispute {
  if (charge.status !== 'succeeded') throw invalid(`Charge ${charge.id} was not successful.`);
  if (disputeOf(books, charge.id)) throw invalid(`Charge ${charge.id} is disputed already.`);
  const dispute = books.put('dispute', {
    id: books.newId('dp_'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: books.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence_details: {
      due_by: books.now + ANSWERED_WITHIN,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: isOnlyInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: isOnlyInquiry ? 'warning_needs_response' : 'needs_response',
  });
  books.put('charge', { ...charge, disputed: true });
  books.emit('charge.dispute.created', dispute);
  return isOnlyInquiry ? dispute : withdraw(books, dispute);
}

/** The bank makes a dispute of an inquiry. */
export function escalate(books: Books, id: string): Dispute {
  const before = books.get('dispute', id);
  if (!isInquiry(before) || isClosed(before)) throw invalid(`${id} is no open inquiry.`);
  return withdraw(books, change(books, before, { is_charge_refundable: false, status: 'needs_response' }));
}

/** The platform has answered, and the bank thinks about it. */
export const answer = (books: Books, id: string): Dispute => {
  const before = open(books, id);
  return change(books, before, {
    evidence_details: { ...before.evidence_details, has_evidence: true, submission_count: 1 },
    status: isInquiry(before) ? 'warning_under_review' : 'under_review',
  });
};

/** The bank decides. An inquiry is closed, whoever was right. */
export function decide(books: Books, id: string, won: boolean): Dispute {
  const before = open(books, id);
  const status = won ? 'won' : 'lost';
  const decided = books.put('dispute', { ...before, status: isInquiry(before) ? 'warning_closed' : status });
  books.emit('charge.dispute.closed', decided, { status: before.status });
  if (decided.status !== 'won') return decided;
  const back = balance(books, decided, decided.amount, 'dispute_reversal');
  const reinstated = books.put('dispute', {
    ...decided,
    balance_transactions: [...decided.balance_transactions, back],
  });
  books.emit('charge.dispute.funds_reinstated', reinstated);
  return reinstated;
}

function open(books: Books, id: string): Dispute {
  const dispute = books.get('dispute', id);
  if (isClosed(dispute)) throw invalid(`This dispute is already closed: ${id}`);
  return dispute;
}

function change(books: Books, before: Dispute, next: Partial<Dispute>): Dispute {
  const changed = books.put('dispute', { ...before, ...next });
  books.emit('charge.dispute.updated', changed, { status: before.status });
  return changed;
}

function withdraw(books: Books, dispute: Dispute): Dispute {
  const taken = balance(books, dispute, -dispute.amount, 'dispute', FEE);
  const withdrawn = books.put('dispute', { ...dispute, balance_transactions: [taken] });
  books.emit('charge.dispute.funds_withdrawn', withdrawn);
  return withdrawn;
}

function balance(
  books: Books,
  { id, charge, currency }: Dispute,
  amount: number,
  category: BalanceTransaction['reporting_category'],
  fee = 0,
): BalanceTransaction {
  const description = `Chargeback ${category === 'dispute' ? 'withdrawal' : 'reversal'} for ${charge}`;
  return {
    id: books.newId('txn_'),
    object: 'balance_transaction',
    amount,
    available_on: books.now,
    created: books.now,
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: category,
    source: id,
    status: 'available',
    type: 'adjustment',
  };
}

export const disputeEndpoints = [
  endpoint('GET', '/v1/disputes/:id', {}, ({ books, id }) => books.get('dispute', id)),
  endpoint(
    'GET',
    '/v1/disputes',
    { ...paging, charge: text.optional(), payment_intent: text.optional() },
    ({ books, parameters: { charge, payment_intent: intent } }) =>
      listed(
        books
          .all('dispute')
          .filter(
            (one) =>
              (charge === undefined || one.charge === charge) &&
              (intent === undefined || one.payment_intent === intent),
          ),
      ),
  ),
  // The platform gives up.
  endpoint('POST', '/v1/disputes/:id/close', {}, ({ books, id }) => decide(books, id, false)),
];
