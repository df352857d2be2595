import { Button } from '@mantine/core';
import type { Me } from '../../../api/types.js';
import { Badge } from '../../../components/badge.js';
import { BusyButton } from '../../../components/busy-button.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { errorText } from '../../../server/http/api-error.js';
import { ruleTexts } from '../../../validation/texts.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { useResendVerification } from '../api/resend-verification.js';
import { useUpdateAccount } from '../api/update-account.js';
import { useAccountTexts } from '../texts.js';
import { useOpenedForm } from '../use-opened-form.js';
import classes from './account.module.css';
import { ChangeEmailForm } from './change-email-form.js';

/** The e-mail address, the one that waits to be verified, and the ways to verify, change and keep it (UI-27, ACCT-26, ACCT-27). */
export function EmailSetting({ me }: { me: Me }) {
  const texts = useAccountTexts();
  const { email: own } = texts.settings;
  const { pendingEmail, emailVerified } = me;
  const { isOpen, open, close, form, button } = useOpenedForm();
  const resend = useResendVerification({
    onSent: () => toast({ type: 'success', message: own.resent }),
    onFailed: (error) => toast({ type: 'error', message: errorText(error, own.resendFailed, texts) }),
  });
  const isWaiting = pendingEmail !== null || !emailVerified;

  return (
    <>
      <div>
        <p className={classes.row}>
          <span className={classes.value}>{me.email}</span>
          <Badge>{emailVerified ? own.verified : own.notVerified}</Badge>
        </p>
        <p className={classes.muted}>{ruleTexts().email.hint}</p>
      </div>
      {isWaiting && (
        <FormAlert type="info">
          {pendingEmail === null ? own.unverifiedText : own.pending(pendingEmail, me.email)}
        </FormAlert>
      )}
      {isOpen ? (
        <ChangeEmailForm me={me} element={form} onClose={close} />
      ) : (
        <div className={classes.actions}>
          {isWaiting && (
            <BusyButton
              variant="default"
              label={own.resend}
              busyLabel={own.resending}
              busy={resend.isPending}
              onClick={() => resend.mutate()}
            />
          )}
          {pendingEmail !== null && <Withdraw email={me.email} />}
          <Button ref={button} variant="default" onClick={open}>
            {own.change}
          </Button>
        </div>
      )}
    </>
  );
}

/** Keeps the present address `email`. The button goes with the change that it takes back. */
function Withdraw({ email }: { email: string }) {
  const texts = useAccountTexts();
  const own = texts.settings.email;
  const button = useFocusHandover<HTMLButtonElement>('main');
  const withdraw = useUpdateAccount({
    onSaved: (me) => toast({ type: 'success', message: own.withdrawn(me.email) }),
    onFailed: (error) => toast({ type: 'error', message: errorText(error, own.withdrawFailed, texts) }),
  });
  return (
    <BusyButton
      ref={button}
      variant="default"
      label={own.withdraw}
      busyLabel={own.withdrawing}
      busy={withdraw.isPending}
      onClick={() => withdraw.mutate({ email })}
    />
  );
}
