import { LIMITS } from '../../api/limits.js';
import { price, toMinor } from '../../i18n/price.js';
import type { ProfileTexts } from './texts.js';

/** Arabic, Persian and wide digits, and the first of each ten. */
const OTHER_DIGITS = /[٠-٩۰-۹０-９]/g;
const ZEROS = ['０', '۰', '٠'].map((zero) => zero.codePointAt(0)!);

function inLatinDigits(digit: string): string {
  const code = digit.codePointAt(0)!;
  return String(code - ZEROS.find((zero) => zero <= code)!);
}

/** Thousands apart by blanks, apostrophes or the Arabic sign, which separate nothing else. */
const APART = /^[1-9]\d{0,2}(?:[\s'’٬]\d{3})+(?=$|[.,])/;

/** What was typed, with the digits 0 to 9 and no other separators than "." and ",". */
const simplified = (text: string): string =>
  text
    .trim()
    .replace(OTHER_DIGITS, inLatinDigits)
    .replace(/[．٫]/g, '.')
    .replaceAll('，', ',')
    .replace(APART, (whole) => whole.replace(/\D/g, ''));

const PLAIN = /^\d+$/;
const DECIMAL = /^(?=.*\d)\d*[.,]\d*$/;
const THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3})+$|^[1-9]\d{0,2}(?:\.\d{3})+$/;
const THOUSANDS_AND_DECIMAL = /^[1-9]\d{0,2}(?:(?:,\d{3})+\.|(?:\.\d{3})+,)\d*$/;

/** The amount whose last separator is the decimal one. */
const decimal = (amount: string): number => {
  const at = Math.max(amount.lastIndexOf('.'), amount.lastIndexOf(','));
  return Number(`${amount.slice(0, at).replace(/\D/g, '')}.${amount.slice(at + 1)}0`);
};

/**
 * The amounts that a text may mean, with a decimal point or a decimal comma: one, two where its separator may be of thousands
 * as well ("1.500"), and none where it is no amount.
 */
export function amountsOf(text: string): number[] {
  const amount = simplified(text);
  const found: number[] = [];
  if (DECIMAL.test(amount) || THOUSANDS_AND_DECIMAL.test(amount)) found.push(decimal(amount));
  if (PLAIN.test(amount) || THOUSANDS.test(amount)) found.push(Number(amount.replace(/\D/g, '')));
  return found;
}

/** The price that was typed; null: none; undefined: it is not known which. */
export function priceOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const amounts = amountsOf(text);
  return amounts.length === 1 ? amounts[0] : undefined;
}

/**
 * Why a price that was typed is not taken, where it has changed: it is less than the provider takes (SUBS-5). The server says the
 * same in the same words.
 * @param least in major units
 */
export function leastPriceError(
  text: string,
  least: number,
  currency: string,
  { locale, profile }: ProfileTexts,
): string | undefined {
  const amount = priceOf(text);
  if (!amount || amount >= least) return undefined;
  return profile.price.least(price(toMinor(least), currency, locale));
}

/** SUBS-4, SUBS-6. */
export function priceError(text: string, { locale, profile }: ProfileTexts): string | undefined {
  const { lowestPrice, highestPrice, priceStep } = LIMITS;
  const [one, other] = amountsOf(text);
  if (other !== undefined) return profile.price.twoWays(text.trim(), String(one), String(other));
  const amount = priceOf(text);
  const isGood =
    amount === null ||
    (amount !== undefined &&
      amount >= lowestPrice &&
      amount <= highestPrice &&
      Number.isInteger(amount / priceStep));
  const format = new Intl.NumberFormat(locale);
  return isGood
    ? undefined
    : profile.price.wrong(format.format(lowestPrice), format.format(highestPrice), format.format(priceStep));
}
