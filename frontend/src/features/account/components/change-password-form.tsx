import { Button } from '@mantine/core';
import type { RefObject } from 'react';
import type { Me } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { PasswordField } from '../../../components/password-field.js';
import { OwnerProofField } from '../../../shared/passkeys/owner-proof-field.js';
import { usePasskeys } from '../../../shared/passkeys/passkeys.js';
import { useOwnerProof } from '../../../shared/passkeys/use-owner-proof.js';
import { usePasswordPolicy } from '../../../shared/password-policy.js';
import { confirmPasswordError, passwordError } from '../../../validation/account.js';
import { ruleTexts } from '../../../validation/texts.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useChangePassword } from '../api/change-password.js';
import { useAccountTexts } from '../texts.js';
import { useRefusedChange } from '../use-refused-change.js';
import classes from './account.module.css';

interface ChangePasswordFormProps {
  me: Me;
  element: RefObject<HTMLFormElement | null>;
  onClose: () => void;
}

/** Changes the password with the current one, where the account has one (ACCT-9). */
export function ChangePasswordForm({ me, element, onClose }: ChangePasswordFormProps) {
  const texts = useAccountTexts();
  const own = texts.settings.password;
  const { password: labels } = ruleTexts();
  const policy = usePasswordPolicy();
  const proof = useOwnerProof(me);
  const { data: passkeys = [] } = usePasskeys();
  const refused = useRefusedChange(proof, own.failed);
  const form = useCheckedForm({
    name: 'change-password',
    initialValues: { currentPassword: '', password: '', confirmPassword: '' },
    check: ({ currentPassword, password, confirmPassword }) => ({
      currentPassword: proof.passwordError(currentPassword),
      password: passwordError(password, policy),
      confirmPassword: confirmPasswordError(password, confirmPassword),
    }),
    onChange: refused.forget,
  });
  const save = useChangePassword({
    onSaved: () => {
      if (refused.mounted.current) onClose();
      toast({ type: 'success', message: own.changed });
    },
    onFailed: (error) => refused.tell(form, error),
  });
  const submit = form.submit(({ currentPassword, password }) => {
    refused.forget();
    save.mutate({ password, ...(proof.asksPassword && { currentPassword }) });
  });

  return (
    <form ref={element} className={classes.form} onSubmit={submit} noValidate>
      {refused.failure && <FormAlert>{refused.failure}</FormAlert>}
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      {passkeys.length > 0 && <p className={classes.muted}>{own.passkeys}</p>}
      <OwnerProofField proof={proof} field={form.getInputProps('currentPassword')} />
      <PasswordField {...form.getInputProps('password')} label={labels.new} autoComplete="new-password" />
      <PasswordField
        {...form.getInputProps('confirmPassword')}
        label={labels.confirm}
        autoComplete="new-password"
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {texts.dialog.cancel}
        </Button>
        <BusyButton label={own.save} busyLabel={own.saving} busy={save.isPending} />
      </div>
    </form>
  );
}
