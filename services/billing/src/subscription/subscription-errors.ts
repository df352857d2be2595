import { DomainError } from '@pulso/platform/errors/domain-error';

export const cannotSubscribeSelf = () =>
  new DomainError('cannot-subscribe-self', 'You cannot subscribe to yourself.');

export const notACoach = () => new DomainError('not-a-coach', 'This user is not a coach.');

/** Payments are on, and the coach asks for nothing yet (SUBS-5). */
export const priceNotSet = () => new DomainError('price-not-set', 'This coach has not set a price yet.');

/** The subscription has to be paid for at the provider first (SUBS-8). */
export const paymentRequired = () =>
  new DomainError('payment-required', 'This subscription has to be paid for first.');

/** There is nothing to buy: the subscription is there. */
export const subscribedAlready = () =>
  new DomainError('conflict', 'You are subscribed to this coach already.');
