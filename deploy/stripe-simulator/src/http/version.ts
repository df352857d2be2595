/** The version of Stripe's interface that is simulated. */
export const API_VERSION = '2026-10-28.endive';
