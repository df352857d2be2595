import type { Books } from '../books.js';
import { endpoint } from '../http/endpoint.js';
import { cardOf, type TestCard } from './test-cards.js';

export interface PaymentMethod {
  id: string;
  object: 'payment_method';
  allow_redisplay: 'limited';
  billing_details: { address: null; email: string | null; name: string | null; phone: null };
  card: {
    brand: string;
    country: string;
    exp_month: number;
    exp_year: number;
    funding: string;
    last4: string;
  };
  created: number;
  customer: string | null;
  livemode: false;
  metadata: Record<string, string>;
  type: 'card';
  _number: string;
}

/** A card that was typed, and belongs to nobody yet. */
export function newCard(books: Books, number: string): PaymentMethod {
  const card = cardOf(number);
  return books.put('payment_method', {
    id: books.newId('pm_'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email: null, name: null, phone: null },
    card: {
      brand: card.number.startsWith('5') ? 'mastercard' : 'visa',
      country: 'US',
      exp_month: 12,
      exp_year: new Date(books.now * 1000).getUTCFullYear() + 5,
      funding: 'credit',
      last4: card.number.slice(-4),
    },
    created: books.now,
    customer: null,
    livemode: false,
    metadata: {},
    type: 'card',
    _number: card.number,
  });
}

export function attach(books: Books, card: PaymentMethod, customer: string): PaymentMethod {
  const method = books.put('payment_method', { ...card, customer });
  books.emit('payment_method.attached', method);
  return method;
}

export const cardBehind = (method: PaymentMethod): TestCard => cardOf(method._number);

export const paymentMethodEndpoints = [
  endpoint('GET', '/v1/payment_methods/:id', {}, ({ books, id }) => books.get('payment_method', id)),
];
