import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';

interface Outcome {
  onSent: () => void;
  onFailed: (error: Error) => void;
}

/** POST /api/auth/email/resend: another link for the address that is to be verified (ACCT-27). */
export const useResendVerification = ({ onSent, onFailed }: Outcome) =>
  useSingleMutation({
    mutationFn: () => unwrap(client.POST('/api/auth/email/resend')),
    onSuccess: onSent,
    onError: onFailed,
  });
