/** How the provider's page was left. */
export type CheckoutEnd = 'done' | 'cancelled';

const END = 'checkout';
const COACH = 'coach';

/** The address of the present page, with how a checkout has ended, to return to. */
export function returnAddress(coachId: string, end: CheckoutEnd): string {
  const address = new URL(location.href);
  address.searchParams.set(END, end);
  address.searchParams.set(COACH, coachId);
  return address.href;
}

/** What an address says of a checkout; undefined where it says nothing. */
export function checkoutEndOf(params: URLSearchParams): { end: CheckoutEnd; coachId: string } | undefined {
  const end = params.get(END);
  const coachId = params.get(COACH);
  return coachId && (end === 'done' || end === 'cancelled') ? { end, coachId } : undefined;
}

/** The rest of the address. */
export function withoutCheckoutEnd(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete(END);
  rest.delete(COACH);
  return rest;
}
