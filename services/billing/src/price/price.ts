import { CURRENCIES, PRICE, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { FieldProblems } from '@pulso/platform/validation/field-problems';

const MINOR_UNITS = 100;

/** Refuses a price that nobody may set (SUBS-4). Throws `validation-failed` with every problem. */
export function checkPrice({ priceMinor, currency }: { priceMinor?: number; currency: string }): void {
  const problems = new FieldProblems();
  if (priceMinor !== undefined) {
    const path = 'subscriptionPrice';
    if (priceMinor < PRICE.min * MINOR_UNITS)
      problems.add(path, 'too-small', VALIDATION_MESSAGES.priceTooSmall);
    else if (priceMinor > PRICE.max * MINOR_UNITS)
      problems.add(path, 'too-big', VALIDATION_MESSAGES.priceTooBig);
    else if (priceMinor % (PRICE.step * MINOR_UNITS) !== 0)
      problems.add(path, 'invalid-step', VALIDATION_MESSAGES.priceStep);
  }
  if (currency !== '' && !CURRENCIES.some((known) => known === currency))
    problems.add('subscriptionCurrency', 'invalid-currency', VALIDATION_MESSAGES.currency);
  problems.check();
}
