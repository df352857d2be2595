import type { Session } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { showPasskey } from '../../../shared/passkeys/authenticator.js';

interface Asking {
  /** In the list under the field of the address, not in a window. */
  underField?: boolean;
  /** Nobody is asked any more once it is aborted. */
  stopped?: AbortSignal;
  /** Called when a passkey is shown, before the server judges it. */
  onShown?: () => void;
}

/**
 * POST /api/auth/passkeys/login/options, then how the authenticator answers them to POST /api/auth/passkeys/login (ACCT-43). Undefined
 * where the user has shown none.
 */
export async function logInByPasskey({ underField, stopped, onShown }: Asking = {}): Promise<
  Session | undefined
> {
  const options = await unwrap(client.POST('/api/auth/passkeys/login/options'));
  if (stopped?.aborted) return undefined;
  const body = await showPasskey(options, { underField });
  if (!body) return undefined;
  onShown?.();
  return unwrap(client.POST('/api/auth/passkeys/login', { body }));
}
