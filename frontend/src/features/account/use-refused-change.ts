import { useState } from 'react';
import { toast } from '../../components/feedback/feedback-store.js';
import { useMounted } from '../../components/use-mounted.js';
import { errorText } from '../../server/http/api-error.js';
import type { OwnerProof } from '../../shared/passkeys/use-owner-proof.js';
import { useAccountTexts } from './texts.js';

interface RefusingForm {
  refuse: (error: unknown) => boolean;
}

/**
 * Tells why a change that needs the current password (ACCT-9, ACCT-26) was refused: at the fields that it blames, else for the whole
 * form, and in a notice to who has left the page. Without the password, a passkey (ACCT-43) or a new sign-in proves who asks, and
 * each of them for some minutes.
 */
export function useRefusedChange(proof: OwnerProof, fallback: string) {
  const texts = useAccountTexts();
  const mounted = useMounted();
  const [failure, setFailure] = useState<string>();
  const tell = (form: RefusingForm, error: Error) => {
    const unproven = proof.refused(error);
    const message = unproven ?? errorText(error, fallback, texts);
    if (!mounted.current) toast({ type: 'error', message });
    else if (unproven !== undefined || !form.refuse(error)) setFailure(message);
  };
  return { failure, tell, forget: () => setFailure(undefined), mounted };
}
