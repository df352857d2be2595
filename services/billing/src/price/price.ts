import type { FieldErrorCode } from '@pulso/contracts/field-errors';
import { CURRENCIES, PRICE, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { type FieldError, validationFailed } from '@pulso/platform/errors/domain-error';

const MINOR_UNITS = 100;

/** Refuses a price that nobody may set (SUBS-4). Throws `validation-failed` with every problem. */
export function checkPrice({ priceMinor, currency }: { priceMinor?: number; currency: string }): void {
  const errors: FieldError[] = [];
  const refuse = (path: string, code: FieldErrorCode, message: string) =>
    errors.push({ path, code, message });
  if (priceMinor !== undefined) {
    const path = 'subscriptionPrice';
    if (priceMinor < PRICE.min * MINOR_UNITS) refuse(path, 'too-small', VALIDATION_MESSAGES.priceTooSmall);
    else if (priceMinor > PRICE.max * MINOR_UNITS) refuse(path, 'too-big', VALIDATION_MESSAGES.priceTooBig);
    else if (priceMinor % (PRICE.step * MINOR_UNITS) !== 0)
      refuse(path, 'invalid-step', VALIDATION_MESSAGES.priceStep);
  }
  if (currency !== '' && !CURRENCIES.some((known) => known === currency))
    refuse('subscriptionCurrency', 'invalid-currency', VALIDATION_MESSAGES.currency);
  if (errors.length > 0) throw validationFailed(errors);
}
