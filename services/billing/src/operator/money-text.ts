/** In minor units: `400.00 MXN`. */
export const moneyText = (minor: number | null, currency: string | null) =>
  minor === null ? null : `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')} ${currency}`;
