import type { ProviderPage } from '@pulso/contracts/billing/v1/billing';
import { asUnavailable } from './provider-errors.js';
import type { Provider } from './provider.js';
import { READ_LIMIT_MS } from './read-limit.js';

/** A page of the provider that nothing has to be remembered of. Throws `unavailable` where it cannot be opened now. */
export async function openPage(
  provider: Provider,
  open: (signal: AbortSignal) => Promise<string>,
): Promise<ProviderPage> {
  try {
    return { url: await open(AbortSignal.timeout(READ_LIMIT_MS)) };
  } catch (error) {
    throw asUnavailable(provider, error);
  }
}
