import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../../../server/http/api-error.js';
import { ActCard, WayOn } from '../../../components/act-card.js';
import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { emailError } from '../../../validation/account.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useForgotPassword } from '../api/forgot-password.js';
import { ruleTexts } from '../../../validation/texts.js';
import { useLinkTexts } from '../texts.js';

/** Asks for a link to a new password (ACCT-10). `known`: the address that was typed at the login. */
export function ForgotPassword({ known }: { known: string }) {
  const texts = useLinkTexts();
  const { forgot } = texts;
  const ask = useForgotPassword();
  const [failure, setFailure] = useState<Error>();
  const [sentTo, setSentTo] = useState<string>();
  const form = useCheckedForm({
    name: 'forgot-password',
    initialValues: { email: known },
    check: ({ email }) => ({ email: emailError(email, texts) }),
    onChange: () => {
      setFailure(undefined);
      setSentTo(undefined);
    },
  });
  const submit = form.submit(({ email }) => {
    setFailure(undefined);
    // Sent again, it is told again.
    setSentTo(undefined);
    ask.mutate(email.trim(), {
      onSuccess: (_, address) => setSentTo(address),
      onError: (error) => setFailure(form.refuse(error) ? undefined : error),
    });
  });
  return (
    <ActCard title={forgot.title} isOver={false}>
      <p>{forgot.text}</p>
      {sentTo !== undefined && (
        <>
          <FormAlert type="success">{forgot.sent(sentTo)}</FormAlert>
          <p>{forgot.nothingThere}</p>
        </>
      )}
      <form onSubmit={submit} noValidate>
        {failure && <FormAlert>{errorText(failure, forgot.failed, texts)}</FormAlert>}
        <TextInput
          {...form.getInputProps('email')}
          label={ruleTexts().fields.email}
          type="email"
          autoComplete="email"
          required
          withAsterisk={false}
        />
        <BusyButton fullWidth label={forgot.submit} busyLabel={forgot.busy} busy={ask.isPending} />
      </form>
      <WayOn to="/login">{forgot.back}</WayOn>
    </ActCard>
  );
}
