import { useQueryClient } from '@tanstack/react-query';
import type { Passkey } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { hasCode } from '../../../server/http/api-error.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { makePasskey } from '../../../shared/passkeys/authenticator.js';
import { PASSKEYS } from '../../../shared/passkeys/passkeys.js';

interface PasskeyWish {
  name: string;
  /** Not where a passkey was shown, nor of an account without a password. */
  currentPassword?: string;
}

interface Outcome {
  onAdded: (passkey: Passkey) => void;
  onFailed: (error: Error) => void;
}

/** POST /api/auth/passkeys/options, then what the authenticator has made of them to POST /api/auth/passkeys (ACCT-43). */
async function addPasskey({ name, currentPassword }: PasskeyWish): Promise<Passkey | undefined> {
  const options = await unwrap(client.POST('/api/auth/passkeys/options', { body: { currentPassword } }));
  const made = await makePasskey(options);
  return made && unwrap(client.POST('/api/auth/passkeys', { body: { name, ...made } }));
}

/** Neither callback runs where the user has changed their mind. */
export function useAddPasskey({ onAdded, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: addPasskey,
    onSuccess: (added) => {
      if (!added) return;
      queryClient.setQueryData<Passkey[]>(PASSKEYS, (passkeys) => passkeys && [added, ...passkeys]);
      onAdded(added);
    },
    onError: (error) => {
      // Another tab or device may have added the last one that the account can have.
      if (hasCode(error, 'unprocessable')) void queryClient.invalidateQueries({ queryKey: PASSKEYS });
      onFailed(error);
    },
  });
}
