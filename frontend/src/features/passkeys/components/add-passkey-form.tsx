import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Me } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { useMounted } from '../../../components/use-mounted.js';
import { errorText, hasCode } from '../../../server/http/api-error.js';
import { PasskeyExistsError } from '../../../shared/passkeys/authenticator.js';
import { OwnerProofField } from '../../../shared/passkeys/owner-proof-field.js';
import { useOwnerProof } from '../../../shared/passkeys/use-owner-proof.js';
import { nameError } from '../../../validation/account.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useAddPasskey } from '../api/add-passkey.js';
import { usePasskeyTexts } from '../texts.js';
import type { PasskeyTexts } from '../texts.js';
import classes from './passkeys.module.css';

interface AddPasskeyFormProps {
  me: Me;
  deviceName: string;
  onClose: () => void;
}

function failureText(error: unknown, texts: PasskeyTexts): string | undefined {
  const { passkeys: own } = texts;
  if (error instanceof PasskeyExistsError || hasCode(error, 'conflict')) return own.exists;
  return errorText(error, hasCode(error, 'unprocessable') ? own.unusable : own.addFailed, texts);
}

/** Names a new passkey and has the device make it, once the owner has shown that it is them (ACCT-43). */
export function AddPasskeyForm({ me, deviceName, onClose }: AddPasskeyFormProps) {
  const texts = usePasskeyTexts();
  const { passkeys: own } = texts;
  const mounted = useMounted();
  const proof = useOwnerProof(me);
  const [failure, setFailure] = useState<string>();
  const form = useCheckedForm({
    name: 'add-passkey',
    initialValues: { name: deviceName, currentPassword: '' },
    check: ({ name, currentPassword }) => ({
      name: nameError(name, texts),
      currentPassword: proof.passwordError(currentPassword),
    }),
    onChange: () => setFailure(undefined),
  });
  const tell = (error: Error) => {
    const unproven = proof.refused(error);
    const message = unproven ?? failureText(error, texts);
    if (!mounted.current) toast({ type: 'error', message });
    else if (unproven !== undefined || !form.refuse(error)) setFailure(message);
  };
  const add = useAddPasskey({
    onAdded: ({ name }) => {
      if (mounted.current) onClose();
      toast({ type: 'success', message: own.added(name) });
    },
    onFailed: tell,
  });
  const submit = form.submit(({ name, currentPassword }) => {
    setFailure(undefined);
    add.mutate({ name: name.trim(), ...(proof.asksPassword && { currentPassword }) });
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {failure && <FormAlert>{failure}</FormAlert>}
      <TextInput {...form.getInputProps('name')} label={own.name} autoComplete="off" />
      <OwnerProofField proof={proof} field={form.getInputProps('currentPassword')} />
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {texts.dialog.cancel}
        </Button>
        <BusyButton label={own.create} busyLabel={own.creating} busy={add.isPending} />
      </div>
    </form>
  );
}
