import type Stripe from 'stripe';
import type { Currency, Pair } from '../provider/payment-provider.js';

const INSTALLATION = 'pulso_installation';
const USER = 'pulso_user';
const COACH = 'pulso_coach';
const CURRENCY = 'pulso_currency';
const REASON = 'pulso_reason';
const DISPUTE = 'pulso_dispute';

/** Marks what one installation of Pulso makes at Stripe, whose account other programs may use, too. */
export class StripeMetadata {
  constructor(private readonly installation: string) {}

  ofInstallation(): Record<string, string> {
    return { [INSTALLATION]: this.installation };
  }

  ofCustomer({ userId, currency }: { userId: string; currency: Currency }): Record<string, string> {
    return { [INSTALLATION]: this.installation, [USER]: userId, [CURRENCY]: currency };
  }

  ofCoach(coachId: string): Record<string, string> {
    return { [INSTALLATION]: this.installation, [COACH]: coachId };
  }

  ofPair({ userId, coachId }: Pair): Record<string, string> {
    return { ...this.ofCoach(coachId), [USER]: userId };
  }

  ofRefund(reason: string): Record<string, string> {
    return { [INSTALLATION]: this.installation, [REASON]: reason };
  }

  ofDispute(disputeId: string): Record<string, string> {
    return { [INSTALLATION]: this.installation, [DISPUTE]: disputeId };
  }

  /** The pair of a subscription; undefined where it is not this installation's. */
  pairOf(given: Stripe.Metadata | null): Pair | undefined {
    const { [INSTALLATION]: installation, [USER]: userId, [COACH]: coachId } = given ?? {};
    return installation === this.installation && userId && coachId ? { userId, coachId } : undefined;
  }

  /** Whose price it is; null where it is not this installation's. */
  coachOf(given: Stripe.Metadata | null | undefined): string | null {
    const { [INSTALLATION]: installation, [COACH]: coachId } = given ?? {};
    return installation === this.installation && coachId ? coachId : null;
  }

  /** A price's name at Stripe: it finds the price again. */
  priceKeyOf(price: { coachId: string; amountMinor: number; currency: Currency }): string {
    return `${this.installation}:${price.coachId}:${price.amountMinor}:${price.currency}:month`;
  }
}

/** Whether everything of `wanted` stands in `given`. */
export function hasMetadata(given: Stripe.Metadata | null | undefined, wanted: unknown): boolean {
  return Object.entries(wanted as Record<string, string>).every(([name, value]) => given?.[name] === value);
}
