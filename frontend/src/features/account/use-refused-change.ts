import { useState } from 'react';
import type { Me } from '../../api/types.js';
import { toast } from '../../components/feedback/feedback-store.js';
import { useMounted } from '../../components/use-mounted.js';
import { errorText, hasCode } from '../../server/http/api-error.js';
import { useAccountTexts } from './texts.js';

interface RefusingForm {
  refuse: (error: unknown) => boolean;
}

/**
 * Tells why a change that needs the current password (ACCT-9, ACCT-26) was refused: at the fields that it blames, else for the whole
 * form, and in a notice to who has left the page. Of an account without a password only a new sign-in proves who asks.
 */
export function useRefusedChange(me: Me, fallback: string) {
  const texts = useAccountTexts();
  const mounted = useMounted();
  const [failure, setFailure] = useState<string>();
  const tell = (form: RefusingForm, error: Error) => {
    const isUnproven = !me.hasPassword && hasCode(error, 'wrong-password');
    const message = errorText(error, isUnproven ? texts.settings.signInAgain : fallback, texts);
    if (!mounted.current) toast({ type: 'error', message });
    else if (isUnproven || !form.refuse(error)) setFailure(message);
  };
  return { failure, tell, forget: () => setFailure(undefined), mounted };
}
