import { StripeError } from '../http/stripe-error.js';

export interface TestCard {
  number: string;
  /** What it is for, as the pages say. */
  about: string;
  /** At the first payment, by its owner at the page. */
  first: 'paid' | 'authenticate' | Decline;
  /** At each later one. */
  later: 'paid' | Decline;
}

export interface Decline {
  code: string;
  declineCode?: string;
  message: string;
}

const DECLINED: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};
const NO_FUNDS: Decline = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
};
const NEEDS_OWNER: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};
const REAL_CARD: Decline = {
  code: 'card_declined',
  declineCode: 'test_mode_live_card',
  message: 'Your card was declined. Your request was in test mode, but used a non test card.',
};
/** When the owner refuses, or the bank does not know them. */
export const NOT_AUTHENTICATED: Decline = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/** The numbers of Stripe's documentation. The one ending in 0341 also pays the first time here, so that a renewal can fail. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', about: 'Pays, and renews each month', first: 'paid', later: 'paid' },
  { number: '4000002500003155', about: 'Asks for 3-D Secure once', first: 'authenticate', later: 'paid' },
  {
    number: '4000002760003184',
    about: 'Asks for 3-D Secure each time, so that renewals fail',
    first: 'authenticate',
    later: NEEDS_OWNER,
  },
  { number: '4000000000000341', about: 'Pays now, fails at renewals', first: 'paid', later: DECLINED },
  { number: '4000000000000002', about: 'Is declined', first: DECLINED, later: DECLINED },
  { number: '4000000000009995', about: 'Has insufficient funds', first: NO_FUNDS, later: NO_FUNDS },
];

/** The card of a number as typed. Throws Stripe's card_error for one that cannot be a card's. */
export function cardOf(typed: string): TestCard {
  const number = typed.replace(/[\s-]/g, '');
  if (!isCardNumber(number))
    throw new StripeError(402, {
      type: 'card_error',
      code: 'incorrect_number',
      param: 'number',
      message: 'Your card number is incorrect.',
    });
  return (
    TEST_CARDS.find((card) => card.number === number) ?? {
      number,
      about: '',
      first: REAL_CARD,
      later: REAL_CARD,
    }
  );
}

/** Luhn's check digit. */
function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = [...number].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
