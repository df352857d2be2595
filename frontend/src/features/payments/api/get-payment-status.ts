import { useQuery } from '@tanstack/react-query';
import type { StripeStatus } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { queryKey } from '../../../server/queries/query-keys.js';
import { useTakesPayments } from '../../../shared/config.js';

export const PAYMENT_STATUS = queryKey('payment-status');

/** In ms: an event tells of a payment that fails meanwhile. */
const STALE_MS = 5 * 60_000;

interface Options {
  /** The pause in ms before it is read again; false: it is not. */
  again?: (status: StripeStatus) => number | false;
}

/** What the viewer has left to do with payments (GET /api/stripe/status); not asked for where nobody takes any. */
export function usePaymentStatus({ again }: Options = {}): StripeStatus | undefined {
  const { data } = useQuery({
    enabled: useTakesPayments(),
    queryKey: PAYMENT_STATUS,
    queryFn: () => unwrap(client.GET('/api/stripe/status')),
    staleTime: STALE_MS,
    refetchInterval: ({ state }) => (again && state.data ? again(state.data) : false),
  });
  return data;
}
