import { TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { ApiError, errorText, hasCode } from '../../../server/http/api-error.js';
import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { PasswordField } from '../../../components/password-field.js';
import { isBlank } from '../../../validation/text.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { ruleTexts } from '../../../validation/texts.js';
import { useLogIn } from '../api/log-in.js';
import { useAuthTexts } from '../texts.js';
import type { AuthTexts } from '../texts.js';
import classes from './auth-card.module.css';

/** The credentials are blamed only where the server has looked at them (ACCT-12). */
function loginErrorText(error: unknown, texts: AuthTexts): string | undefined {
  const { app, login } = texts;
  if (hasCode(error, 'user-disabled')) return login.disabled;
  const refused = error instanceof ApiError && error.status < 500;
  return errorText(error, refused ? login.failed : app.unavailable, texts);
}

/** See UI-14. */
export function LoginForm({ signedOutByServer }: { signedOutByServer: boolean }) {
  const texts = useAuthTexts();
  const { app, login } = texts;
  const { fields, rules } = ruleTexts();
  const logIn = useLogIn();
  const form = useCheckedForm({
    name: 'log-in',
    initialValues: { email: '', password: '' },
    check: ({ email, password }) => ({
      email: isBlank(email) ? rules.required(fields.email) : undefined,
      password: password === '' ? rules.required(fields.password) : undefined,
    }),
  });
  const submit = form.submit(({ email, password }) => logIn.mutate({ email: email.trim(), password }));

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {logIn.error && <FormAlert>{loginErrorText(logIn.error, texts)}</FormAlert>}
      {signedOutByServer && logIn.isIdle && <FormAlert type="info">{app.signedOut}</FormAlert>}
      <TextInput
        {...form.getInputProps('email')}
        label={fields.email}
        type="email"
        // Browsers offer passkeys under it, too (UI-75).
        autoComplete="email webauthn"
        required
        withAsterisk={false}
      />
      <PasswordField
        {...form.getInputProps('password')}
        label={fields.password}
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <Link
        to="/forgot-password"
        state={{ email: form.values.email.trim() }}
        className={`text-link ${classes.forgot}`}
      >
        {login.forgot}
      </Link>
      <BusyButton fullWidth label={login.submit} busyLabel={login.busy} busy={logIn.isPending} />
    </form>
  );
}
