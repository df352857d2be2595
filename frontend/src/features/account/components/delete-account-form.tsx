import { Button, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Me } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { dangerVars } from '../../../components/danger-vars.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { OwnerProofField } from '../../../shared/passkeys/owner-proof-field.js';
import { useOwnerProof } from '../../../shared/passkeys/use-owner-proof.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useDeleteAccount } from '../api/delete-account.js';
import { useAccountTexts } from '../texts.js';
import { useRefusedChange } from '../use-refused-change.js';
import classes from './account.module.css';

interface DeleteAccountFormProps {
  me: Me;
  element: RefObject<HTMLFormElement | null>;
  onClose: () => void;
}

/** Says what goes and what stays, and deletes the account by its username, typed, and its password or a passkey (UI-76, ACCT-43). */
export function DeleteAccountForm({ me, element, onClose }: DeleteAccountFormProps) {
  const texts = useAccountTexts();
  const own = texts.settings.deletion;
  const navigate = useNavigate();
  const proof = useOwnerProof(me);
  const refused = useRefusedChange(proof, own.failed);
  // Deleted users alone have none.
  const name = me.username ?? '';
  const form = useCheckedForm({
    name: 'delete-account',
    initialValues: { username: '', currentPassword: '' },
    check: ({ username, currentPassword }) => ({
      username: isNameOf(me, username) ? undefined : own.notConfirmed(name),
      currentPassword: proof.passwordError(currentPassword),
    }),
    onChange: refused.forget,
  });
  const deletion = useDeleteAccount({
    onDeleted: () => {
      toast({ type: 'success', message: own.deleted });
      void navigate('/');
    },
    onFailed: (error) => refused.tell(form, error),
  });
  const submit = form.submit(({ currentPassword }) => {
    refused.forget();
    deletion.mutate(proof.asksPassword ? currentPassword : undefined);
  });

  return (
    <form ref={element} className={classes.form} onSubmit={submit} noValidate>
      {refused.failure && <FormAlert>{refused.failure}</FormAlert>}
      <Consequences title={own.goesTitle} items={own.goes} />
      <Consequences title={own.staysTitle} items={own.stays} />
      <p className={classes.muted}>{own.exportFirst}</p>
      <TextInput
        {...form.getInputProps('username')}
        label={own.confirm(name)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <OwnerProofField proof={proof} field={form.getInputProps('currentPassword')} />
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {texts.dialog.cancel}
        </Button>
        <BusyButton vars={dangerVars} label={own.delete} busyLabel={own.deleting} busy={deletion.isPending} />
      </div>
    </form>
  );
}

/** Phones write a capital first, and some people the @. */
const isNameOf = ({ username }: Me, typed: string) =>
  typed.trim().replace(/^@/, '').toLowerCase() === username;

function Consequences({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <div>
      <h3 className={classes.subtitle}>{title}</h3>
      <ul className={classes.list}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
