import type { Account, AccountPage } from './resources/account.js';
import type { CheckoutSession } from './resources/checkout-session.js';
import type { Customer } from './resources/customer.js';
import type { Dispute } from './resources/dispute.js';
import type { StripeEvent } from './resources/event.js';
import type { Invoice, InvoicePayment } from './resources/invoice.js';
import type { ApplicationFee, Charge, PaymentIntent, Refund } from './resources/payment.js';
import type { PaymentMethod } from './resources/payment-method.js';
import type { PortalConfiguration } from './resources/portal-configuration.js';
import type { PortalSession } from './resources/portal-session.js';
import type { Price, Product } from './resources/price.js';
import type { Subscription } from './resources/subscription.js';
import type { Transfer, TransferReversal } from './resources/transfer.js';
import type { Delivery } from './webhooks/delivery.js';
import type { Fault, WebhookRule } from './faults/rules.js';
import type { SavedAnswer } from './http/idempotency.js';
import type { Turned } from './clock.js';

/** The type of the objects of each kind in the store. The last five are the simulator's own. */
export interface Kinds {
  account: Account;
  application_fee: ApplicationFee;
  charge: Charge;
  'checkout.session': CheckoutSession;
  customer: Customer;
  dispute: Dispute;
  event: StripeEvent;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  payment_intent: PaymentIntent;
  payment_method: PaymentMethod;
  'billing_portal.configuration': PortalConfiguration;
  'billing_portal.session': PortalSession;
  price: Price;
  product: Product;
  refund: Refund;
  subscription: Subscription;
  transfer: Transfer;
  transfer_reversal: TransferReversal;
  _page: AccountPage;
  _answer: SavedAnswer;
  _clock: Turned;
  _delivery: Delivery;
  _fault: Fault;
  _webhook_rule: WebhookRule;
}

export type Kind = keyof Kinds;

/** The kind of an object by the beginning of its id; the longest that fits counts. */
const PREFIXES: readonly (readonly [string, Kind])[] = [
  ['acct_', 'account'],
  ['bpc_', 'billing_portal.configuration'],
  ['ch_', 'charge'],
  ['cs_', 'checkout.session'],
  ['cus_', 'customer'],
  ['dp_', 'dispute'],
  ['fee_', 'application_fee'],
  ['in_', 'invoice'],
  ['inpay_', 'invoice_payment'],
  ['pi_', 'payment_intent'],
  ['pm_', 'payment_method'],
  ['price_', 'price'],
  ['prod_', 'product'],
  ['re_', 'refund'],
  ['sub_', 'subscription'],
  ['tr_', 'transfer'],
  ['trr_', 'transfer_reversal'],
];

export const kindOf = (id: string): Kind | undefined =>
  PREFIXES.find(([prefix]) => id.startsWith(prefix))?.[1];
