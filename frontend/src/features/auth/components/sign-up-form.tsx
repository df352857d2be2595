import { Button, Checkbox, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../../../server/http/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import { usePasswordPolicy } from '../../../shared/password-policy.js';
import { SIGN_UP_SPECIALTIES } from '../../../shared/specialties.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { ChoiceChips } from '../../../components/choice-chips.js';
import { FormAlert } from '../../../components/form-alert.js';
import { PasswordField } from '../../../components/password-field.js';
import { written, writtenLine } from '../../../text/written.js';
import {
  bioError,
  confirmPasswordError,
  emailError,
  nameError,
  passwordError,
  suggestedUsername,
  usernameError,
} from '../../../validation/account.js';
import { isBlank } from '../../../validation/text.js';
import { ruleTexts } from '../../../validation/texts.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useSignUp } from '../api/sign-up.js';
import type { SignUpBody } from '../api/sign-up.js';
import { useAuthTexts } from '../texts.js';
import classes from './auth-card.module.css';

interface SignUpValues extends SignUpBody {
  confirmPassword: string;
}

const emptyForm = (isCoach: boolean): SignUpValues => ({
  name: '',
  username: '',
  email: '',
  password: '',
  confirmPassword: '',
  isCoach,
  bio: '',
  specialties: [],
});

/** See ACCT-3 and UI-15. */
export function SignUpForm({ asCoach = false }: { asCoach?: boolean }) {
  const texts = useAuthTexts();
  const { account, signUp } = texts;
  const rules = ruleTexts();
  const policy = usePasswordPolicy();
  const signUpCall = useSignUp();
  // The fields tell it then, and nothing else does.
  const [shownAtFields, setShownAtFields] = useState(false);
  const form = useCheckedForm({
    name: 'sign-up',
    initialValues: emptyForm(asCoach),
    check: ({ name, username, email, password, confirmPassword, bio }) => ({
      name: nameError(name, texts),
      username: usernameError(username),
      email: emailError(email, texts),
      password: passwordError(password, policy),
      confirmPassword: confirmPasswordError(password, confirmPassword),
      bio: bioError(bio, texts),
    }),
    onChange: () => signUpCall.isError && signUpCall.reset(),
  });

  const submit = form.submit(({ confirmPassword: _, ...body }) =>
    signUpCall.mutate(
      {
        ...body,
        name: writtenLine(body.name),
        bio: written(body.bio),
        specialties: body.isCoach ? body.specialties : [],
      },
      { onError: (error) => setShownAtFields(form.refuse(error)) },
    ),
  );
  const { name, username } = form.values;
  const suggested = isBlank(username) ? suggestedUsername(name) : undefined;
  const required = { required: true, withAsterisk: false } as const;

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {signUpCall.isError && !shownAtFields && (
        <FormAlert>{errorText(signUpCall.error, signUp.failed, texts)}</FormAlert>
      )}
      <TextInput
        {...form.getInputProps('name')}
        {...required}
        label={rules.fields.name}
        autoComplete="name"
      />
      <div>
        <TextInput
          {...form.getInputProps('username')}
          {...required}
          label={rules.fields.username}
          description={rules.username.hint}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        {suggested && (
          <Button
            className={classes.suggestion}
            variant="subtle"
            color="gray"
            onClick={() => {
              form.setFieldValue('username', suggested);
              form.getInputNode('username')?.focus();
            }}
          >
            {signUp.useUsername(suggested)}
          </Button>
        )}
      </div>
      <TextInput
        {...form.getInputProps('email')}
        {...required}
        label={rules.fields.email}
        type="email"
        autoComplete="email"
      />
      <PasswordField
        {...form.getInputProps('password')}
        {...required}
        label={rules.fields.password}
        autoComplete="new-password"
      />
      <PasswordField
        {...form.getInputProps('confirmPassword')}
        {...required}
        label={rules.password.confirm}
        autoComplete="new-password"
      />
      <Checkbox
        {...form.getInputProps('isCoach', { type: 'checkbox' })}
        className={classes.check}
        label={signUp.isCoach}
        description={signUp.isCoachHint}
      />
      <div>
        <Textarea
          {...form.getInputProps('bio')}
          label={rules.fields.bio}
          description={signUp.bioHint}
          rows={3}
        />
        <CharactersLeft text={form.values.bio} limit={LIMITS.bioLength} />
      </div>
      {form.values.isCoach && (
        <ChoiceChips
          legend={account.specialties}
          hint={signUp.specialtiesHint}
          options={SIGN_UP_SPECIALTIES}
          chosen={form.values.specialties}
          onChange={(chosen) => form.setFieldValue('specialties', chosen)}
          error={form.errors.specialties}
        />
      )}
      <BusyButton fullWidth label={signUp.submit} busyLabel={signUp.busy} busy={signUpCall.isPending} />
    </form>
  );
}
