import type { Currency } from '../provider/payment-provider.js';

/** As the product shows money (SUBS-6), in minor units: "MX$10.00", "$0.50". */
export const shownMoney = (minor: number, currency: Currency): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(minor / 100);
