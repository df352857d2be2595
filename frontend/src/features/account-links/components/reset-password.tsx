import { useState } from 'react';
import { errorText, hasCode } from '../../../server/http/api-error.js';
import { usePasswordPolicy } from '../../../shared/password-policy.js';
import { ActCard, WayOn } from '../../../components/act-card.js';
import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { PasswordField } from '../../../components/password-field.js';
import { confirmPasswordError, passwordError } from '../../../validation/account.js';
import { ruleTexts } from '../../../validation/texts.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useResetPassword } from '../api/reset-password.js';
import { useLinkTexts } from '../texts.js';

/** Sets a new password by the token of a mailed link (ACCT-10). A password that is refused does not spend it. */
export function ResetPassword({ token }: { token: string }) {
  const texts = useLinkTexts();
  const { reset } = texts;
  const { password: labels } = ruleTexts();
  const policy = usePasswordPolicy();
  const call = useResetPassword();
  const [failure, setFailure] = useState<Error>();
  const form = useCheckedForm({
    name: 'reset-password',
    initialValues: { password: '', confirmPassword: '' },
    check: ({ password, confirmPassword }) => ({
      password: passwordError(password, policy),
      confirmPassword: confirmPasswordError(password, confirmPassword),
    }),
    onChange: () => setFailure(undefined),
  });
  const submit = form.submit(({ password }) => {
    setFailure(undefined);
    call.mutate(
      { token, password },
      { onError: (error) => setFailure(form.refuse(error) ? undefined : error) },
    );
  });
  const isBad = token === '' || hasCode(call.error, 'invalid-action-code');
  const isOver = isBad || call.isSuccess;
  const required = { required: true, withAsterisk: false, autoComplete: 'new-password' } as const;

  return (
    <ActCard title={reset.title} isOver={isOver && !call.isIdle}>
      {isBad && (
        <>
          <FormAlert>{reset.badLink}</FormAlert>
          <WayOn to="/forgot-password">{reset.newLink}</WayOn>
        </>
      )}
      {call.isSuccess && (
        <>
          <FormAlert type="success">{reset.done}</FormAlert>
          <WayOn to="/login">{reset.signIn}</WayOn>
        </>
      )}
      {!isOver && (
        <form onSubmit={submit} noValidate>
          {failure && <FormAlert>{errorText(failure, reset.failed, texts)}</FormAlert>}
          <PasswordField {...form.getInputProps('password')} {...required} label={labels.new} />
          <PasswordField {...form.getInputProps('confirmPassword')} {...required} label={labels.confirm} />
          <BusyButton fullWidth label={reset.submit} busyLabel={reset.busy} busy={call.isPending} />
        </form>
      )}
    </ActCard>
  );
}
