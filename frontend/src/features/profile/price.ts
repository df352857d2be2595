import { LIMITS } from '../../api/limits.js';
import type { ProfileTexts } from './texts.js';

/** What was typed as an amount; null: no price. */
export const priceOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** SUBS-4. */
export function priceError(text: string, { locale, profile }: ProfileTexts): string | undefined {
  const { lowestPrice, highestPrice, priceStep } = LIMITS;
  const amount = priceOf(text);
  // NaN is in no range.
  const isGood =
    amount === null ||
    (amount >= lowestPrice && amount <= highestPrice && Number.isInteger(amount / priceStep));
  const format = new Intl.NumberFormat(locale);
  return isGood
    ? undefined
    : profile.price.wrong(format.format(lowestPrice), format.format(highestPrice), format.format(priceStep));
}
