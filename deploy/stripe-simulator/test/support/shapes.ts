import type Stripe from 'stripe';
import type { Kinds } from '../../src/kinds.js';

/** The objects of Stripe's package. */
interface Theirs {
  account: Stripe.Account;
  application_fee: Stripe.ApplicationFee;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  customer: Stripe.Customer;
  dispute: Stripe.Dispute;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  'billing_portal.configuration': Stripe.BillingPortal.Configuration;
  'billing_portal.session': Stripe.BillingPortal.Session;
  price: Stripe.Price;
  product: Stripe.Product;
  refund: Stripe.Refund;
  subscription: Stripe.Subscription;
  transfer: Stripe.Transfer;
  transfer_reversal: Stripe.TransferReversal;
}

/** Stripe's type as it comes over the wire, where an object may lack fields that the simulator does not have. */
type OnTheWire<T> = T extends Stripe.Decimal
  ? string
  : T extends readonly (infer Item)[]
    ? readonly OnTheWire<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]?: OnTheWire<T[Name]> }
      : T;

/** The fields of `Ours` that Stripe's object lacks, or has with another type; fields with `_` are never sent. */
type Wrong<Ours, Their> = {
  [Name in keyof Ours]-?: Name extends `_${string}`
    ? never
    : Name extends keyof Their
      ? Ours[Name] extends OnTheWire<Their[Name]>
        ? never
        : Name
      : Name;
}[keyof Ours];

type AllWrong = { [Kind in keyof Theirs]: Wrong<Kinds[Kind], Theirs[Kind]> };

/** Does not compile when an object of the simulator has a field that Stripe's has not, or one of another type. */
export const shapesAreStripes: {
  [Kind in keyof Theirs]: [AllWrong[Kind]] extends [never] ? true : AllWrong[Kind];
} = {
  account: true,
  application_fee: true,
  charge: true,
  'checkout.session': true,
  customer: true,
  dispute: true,
  invoice: true,
  invoice_payment: true,
  payment_intent: true,
  payment_method: true,
  'billing_portal.configuration': true,
  'billing_portal.session': true,
  price: true,
  product: true,
  refund: true,
  subscription: true,
  transfer: true,
  transfer_reversal: true,
};
