import { Button, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import type { Me } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { OwnerProofField } from '../../../shared/passkeys/owner-proof-field.js';
import { useOwnerProof } from '../../../shared/passkeys/use-owner-proof.js';
import { emailError } from '../../../validation/account.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useUpdateAccount } from '../api/update-account.js';
import { useAccountTexts } from '../texts.js';
import { useRefusedChange } from '../use-refused-change.js';
import classes from './account.module.css';

interface ChangeEmailFormProps {
  me: Me;
  element: RefObject<HTMLFormElement | null>;
  onClose: () => void;
}

/** Asks for a new address, with the current password where the account has one (ACCT-26). */
export function ChangeEmailForm({ me, element, onClose }: ChangeEmailFormProps) {
  const texts = useAccountTexts();
  const own = texts.settings.email;
  const proof = useOwnerProof(me);
  const refused = useRefusedChange(proof, own.failed);
  // The server does nothing for an address that it has.
  const knownError = (email: string) => {
    const asked = email.trim().toLowerCase();
    if (asked === me.email) return own.same;
    return asked === me.pendingEmail ? own.waits : undefined;
  };
  const form = useCheckedForm({
    name: 'change-email',
    initialValues: { email: '', currentPassword: '' },
    check: ({ email, currentPassword }) => ({
      email: knownError(email) ?? emailError(email, texts),
      currentPassword: proof.passwordError(currentPassword),
    }),
    onChange: refused.forget,
  });
  const save = useUpdateAccount({
    onSaved: ({ pendingEmail }) => {
      if (refused.mounted.current) onClose();
      if (pendingEmail !== null) toast({ type: 'success', message: own.changed(pendingEmail) });
    },
    onFailed: (error) => refused.tell(form, error),
  });
  const submit = form.submit(({ email, currentPassword }) => {
    refused.forget();
    save.mutate({ email: email.trim(), ...(proof.asksPassword && { currentPassword }) });
  });

  return (
    <form ref={element} className={classes.form} onSubmit={submit} noValidate>
      {refused.failure && <FormAlert>{refused.failure}</FormAlert>}
      <TextInput {...form.getInputProps('email')} label={own.new} type="email" autoComplete="email" />
      <OwnerProofField proof={proof} field={form.getInputProps('currentPassword')} />
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {texts.dialog.cancel}
        </Button>
        <BusyButton label={own.save} busyLabel={own.saving} busy={save.isPending} />
      </div>
    </form>
  );
}
