import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { ApiError, errorText, hasCode } from '../../../api/api-error.js';
import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { PasswordField } from '../../../components/password-field.js';
import type { Messages } from '../../../i18n/en.js';
import { useMessages } from '../../../i18n/messages.js';
import { isBlank } from '../../../validation/text.js';
import { focusFirstError } from '../../../validation/focus-first-error.js';
import { useLogIn } from '../api/log-in.js';
import classes from './auth-card.module.css';

/** The credentials are blamed only where the server has looked at them (decisions 40). */
function loginErrorText(error: unknown, messages: Messages): string | undefined {
  const { app, login } = messages;
  if (hasCode(error, 'user-disabled')) return login.disabled;
  const refused = error instanceof ApiError && error.status < 500;
  return errorText(error, refused ? login.failed : app.unavailable, messages);
}

/** Product.md section 2, "Login". */
export function LoginForm({ signedOutByServer }: { signedOutByServer: boolean }) {
  const messages = useMessages();
  const { login, validation } = messages;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const logIn = useLogIn();

  const emailMissing = tried && isBlank(email) ? validation.required(login.email) : undefined;
  const passwordMissing = tried && password === '' ? validation.required(login.password) : undefined;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (isBlank(email) || password === '') focusFirstError(event.currentTarget);
    else if (!logIn.isPending) logIn.mutate({ email: email.trim(), password });
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {logIn.error && <FormAlert>{loginErrorText(logIn.error, messages)}</FormAlert>}
      {signedOutByServer && logIn.isIdle && <FormAlert type="info">{login.signedOut}</FormAlert>}
      <TextInput
        label={login.email}
        type="email"
        name="email"
        autoComplete="email"
        required
        withAsterisk={false}
        value={email}
        error={emailMissing}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordField
        label={login.password}
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        error={passwordMissing}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <BusyButton fullWidth label={login.submit} busyLabel={login.busy} busy={logIn.isPending} />
    </form>
  );
}
