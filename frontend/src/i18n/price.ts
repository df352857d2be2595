const formats = new Map<string, Intl.NumberFormat>();

/** Each is made once: that takes a phone longer than to show a post. */
function formatOf(locale: string, currency: string): Intl.NumberFormat {
  const name = `${locale} ${currency}`;
  const format = formats.get(name) ?? new Intl.NumberFormat(locale, { style: 'currency', currency });
  formats.set(name, format);
  return format;
}

/** An amount of the API, such as 400 or 9.5, in the minor unit of its currency. */
export const toMinor = (amount: number): number => Math.round(amount * 100);

/**
 * "MX$400.00", "$9.50" (SUBS-6).
 * @param minor in hundredths of the currency
 * @param locale of the language in use, BCP 47
 */
export const price = (minor: number, currency: string, locale: string): string =>
  formatOf(locale, currency).format(minor / 100);
