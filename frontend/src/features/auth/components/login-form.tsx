import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { ApiError, errorText, hasCode } from '../../../api/api-error.js';
import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { PasswordField } from '../../../components/password-field.js';
import { focusFirstError } from '../../../validation/focus-first-error.js';
import { isBlank } from '../../../validation/text.js';
import { useLogIn } from '../api/log-in.js';
import { useAuthMessages } from '../messages.js';
import type { AuthMessages } from '../messages.js';
import classes from './auth-card.module.css';

/** The credentials are blamed only where the server has looked at them (decisions 40). */
function loginErrorText(error: unknown, messages: AuthMessages): string | undefined {
  const { app, login } = messages;
  if (hasCode(error, 'user-disabled')) return login.disabled;
  const refused = error instanceof ApiError && error.status < 500;
  return errorText(error, refused ? login.failed : app.unavailable, messages);
}

/** Product.md section 2, "Login". */
export function LoginForm({ signedOutByServer }: { signedOutByServer: boolean }) {
  const messages = useAuthMessages();
  const { account, app, login, validation } = messages;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const logIn = useLogIn();

  const emailMissing = tried && isBlank(email) ? validation.required(account.email) : undefined;
  const passwordMissing = tried && password === '' ? validation.required(account.password) : undefined;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (isBlank(email) || password === '') focusFirstError(event.currentTarget);
    else if (!logIn.isPending) logIn.mutate({ email: email.trim(), password });
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {logIn.error && <FormAlert>{loginErrorText(logIn.error, messages)}</FormAlert>}
      {signedOutByServer && logIn.isIdle && <FormAlert type="info">{app.signedOut}</FormAlert>}
      <TextInput
        label={account.email}
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
        label={account.password}
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
