/** An amount of the API, such as 400 or 9.5, in the minor unit of its currency. */
export const toMinor = (amount: number): number => Math.round(amount * 100);

/**
 * "MX$400.00", "$9.50" (SUBS-6).
 * @param minor in hundredths of the currency
 * @param locale of the language in use, BCP 47
 */
export const price = (minor: number, currency: string, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(minor / 100);
