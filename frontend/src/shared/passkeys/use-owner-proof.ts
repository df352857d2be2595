import { useState } from 'react';
import type { Me } from '../../api/types.js';
import { toast } from '../../components/feedback/feedback-store.js';
import { client, unwrap } from '../../server/client/client.js';
import { errorText, hasCode } from '../../server/http/api-error.js';
import { useSingleMutation } from '../../server/queries/use-single-mutation.js';
import { ruleTexts } from '../../validation/texts.js';
import { hasPasskeys, showPasskey } from './authenticator.js';
import { usePasskeys } from './passkeys.js';
import { useProofTexts } from './texts.js';

async function confirmByPasskey(): Promise<boolean> {
  const options = await unwrap(client.POST('/api/auth/passkeys/confirm/options'));
  const body = await showPasskey(options);
  if (!body) return false;
  await unwrap(client.POST('/api/auth/passkeys/confirm', { body }));
  return true;
}

export interface OwnerProof {
  hasPassword: boolean;
  /** Whether the form must have the current password. */
  asksPassword: boolean;
  /** The error of the field of the current password, where the form must have it and does not. */
  passwordError: (typed: string) => string | undefined;
  /** Whether a passkey was shown instead. */
  isShown: boolean;
  /** Whether there is one to show. */
  canShow: boolean;
  isWaiting: boolean;
  show: () => void;
  /**
   * Why the server was not content with the proof, where it was not the password; then the form asks for it again. Undefined for other
   * refusals.
   */
  refused: (error: Error) => string | undefined;
}

/** How a form finds out that it is the owner who asks: by the current password, or by a passkey (ACCT-43). */
export function useOwnerProof({ hasPassword }: Pick<Me, 'hasPassword'>): OwnerProof {
  const texts = useProofTexts();
  const [isShown, setShown] = useState(false);
  const { data: passkeys = [] } = usePasskeys();
  const confirm = useSingleMutation({
    mutationFn: confirmByPasskey,
    onSuccess: setShown,
    onError: (error) => toast({ type: 'error', message: errorText(error, texts.proof.failed, texts) }),
  });
  const asksPassword = hasPassword && !isShown;
  const { password: labels, rules } = ruleTexts();
  const refused = (error: Error) => {
    if (asksPassword || !hasCode(error, 'wrong-password')) return undefined;
    setShown(false);
    return isShown ? texts.proof.over : texts.proof.signInAgain;
  };
  return {
    hasPassword,
    asksPassword,
    passwordError: (typed) => (asksPassword && typed === '' ? rules.required(labels.current) : undefined),
    isShown,
    canShow: passkeys.length > 0 && hasPasskeys(),
    isWaiting: confirm.isPending,
    show: () => confirm.mutate(),
    refused,
  };
}
