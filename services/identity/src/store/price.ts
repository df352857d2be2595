import { CURRENCIES } from '@pulso/contracts/limits';

/** A coach's monthly price. */
export interface Price {
  /** In minor units; null: none is set. */
  minor: number | null;
  /** Also without a price, as the owner has chosen it. */
  currency: string;
}

/** What a request asks for; an absent field keeps its value, and a null takes the price away. */
export interface PriceChange {
  minor: number | null | undefined;
  currency: string | undefined;
}

const DEFAULT_CURRENCY: (typeof CURRENCIES)[number] = 'MXN';

/** The price after a change (SUBS-4), or undefined if it stays as it is. */
export function changedPrice(price: Price | null, change: PriceChange): Price | undefined {
  const { minor, currency } = price ?? { minor: null, currency: DEFAULT_CURRENCY };
  const changed = {
    minor: change.minor === undefined ? minor : change.minor,
    currency: change.currency ?? currency,
  };
  return changed.minor === minor && changed.currency === currency ? undefined : changed;
}

/**
 * SQL: the price of the row `user` as it is shown, as JSON of `Price`: what the user asked for last, or, once billing has
 * stored that, billing's. One statement reads both, so that it never finds neither.
 */
export const shownPrice = (user: string) => `coalesce(
  (SELECT json_build_object('minor', price_minor, 'currency', currency) FROM price_intents WHERE user_id = ${user}.id),
  (SELECT json_build_object('minor', price_minor, 'currency', currency) FROM known_prices WHERE coach_id = ${user}.id))`;
