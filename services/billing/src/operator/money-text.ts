/** In minor units: `400.00 MXN`. */
export const moneyText = (minor: number | null, currency: string | null) =>
  minor === null ? null : `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')} ${currency}`;

/** Minor units of an amount above 0 such as `12` or `12.50`; undefined for anything else. */
export function minorOf(text: string): number | undefined {
  const found = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim());
  const minor = found && Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'));
  return minor || undefined;
}
