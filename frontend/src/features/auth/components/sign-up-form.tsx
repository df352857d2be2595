import { Checkbox, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorText, fieldErrorText, hasCode } from '../../../api/api-error.js';
import type { PasswordPolicy } from '../../../api/types.js';
import { SIGN_UP_SPECIALTIES } from '../../../client/specialties.js';
import { BusyButton } from '../../../components/busy-button.js';
import { ChoiceChips } from '../../../components/choice-chips.js';
import { FormAlert } from '../../../components/form-alert.js';
import { PasswordField } from '../../../components/password-field.js';
import {
  bioError,
  confirmPasswordError,
  emailError,
  nameError,
  passwordError,
  usernameError,
} from '../../../validation/account.js';
import { focusFirstError } from '../../../validation/focus-first-error.js';
import { usePasswordPolicy } from '../api/get-password-policy.js';
import { useSignUp } from '../api/sign-up.js';
import { useAuthMessages } from '../messages.js';
import type { AuthMessages } from '../messages.js';
import classes from './auth-card.module.css';

const EMPTY = { name: '', username: '', email: '', password: '', confirmPassword: '', bio: '' };

type Field = keyof typeof EMPTY;
type FieldErrors = Partial<Record<Field, string>>;

/** Every field that breaks a rule, with its text. */
export function signUpErrors(
  form: typeof EMPTY,
  policy: PasswordPolicy,
  messages: AuthMessages,
): FieldErrors {
  const all: Record<Field, string | undefined> = {
    name: nameError(form.name, messages),
    username: usernameError(form.username, messages),
    email: emailError(form.email, messages),
    password: passwordError(form.password, policy, messages),
    confirmPassword: confirmPasswordError(form.password, form.confirmPassword, messages),
    bio: bioError(form.bio, messages),
  };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined));
}

/** What the server found, by field: its own texts for a refused value, ours for what is taken. */
function serverErrors(error: unknown, messages: AuthMessages): FieldErrors {
  if (hasCode(error, 'username-taken')) return { username: messages.validation.usernameTaken };
  if (hasCode(error, 'email-already-in-use')) return { email: messages.validation.emailTaken };
  const fields = Object.keys(EMPTY) as Field[];
  return Object.fromEntries(fields.map((field) => [field, fieldErrorText(error, field, messages)]));
}

/** Product.md section 2, "Sign-up". */
export function SignUpForm({ asCoach = false }: { asCoach?: boolean }) {
  const messages = useAuthMessages();
  const { account, signUp } = messages;
  const policy = usePasswordPolicy();
  const signUpCall = useSignUp();
  const [form, setForm] = useState(EMPTY);
  const [isCoach, setIsCoach] = useState(asCoach);
  const [specialties, setSpecialties] = useState<string[]>([]);
  const [tried, setTried] = useState(false);

  const own = signUpErrors(form, policy, messages);
  const refused = signUpCall.isError ? serverErrors(signUpCall.error, messages) : {};
  const shown: FieldErrors = tried ? { ...refused, ...own } : {};

  const field = (name: Field) => ({
    name,
    label: account[name],
    value: form[name],
    error: shown[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setForm((current) => ({ ...current, [name]: value }));
      if (signUpCall.isError) signUpCall.reset();
    },
  });
  const required = { required: true, withAsterisk: false } as const;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    const element = event.currentTarget;
    if (Object.keys(own).length > 0) return focusFirstError(element);
    if (signUpCall.isPending) return;
    const { confirmPassword: _, ...body } = form;
    signUpCall.mutate(
      { ...body, isCoach, specialties: isCoach ? specialties : [] },
      { onError: () => focusFirstError(element) },
    );
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {signUpCall.isError && <FormAlert>{errorText(signUpCall.error, signUp.failed, messages)}</FormAlert>}
      <TextInput {...field('name')} {...required} autoComplete="name" />
      <TextInput
        {...field('username')}
        {...required}
        description={account.usernameHint}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextInput {...field('email')} {...required} type="email" autoComplete="email" />
      <PasswordField {...field('password')} {...required} autoComplete="new-password" />
      <PasswordField {...field('confirmPassword')} {...required} autoComplete="new-password" />
      <Checkbox
        className={classes.check}
        label={signUp.isCoach}
        description={signUp.isCoachHint}
        name="isCoach"
        checked={isCoach}
        onChange={(event) => setIsCoach(event.currentTarget.checked)}
      />
      <Textarea {...field('bio')} description={signUp.bioHint} rows={3} />
      {isCoach && (
        <ChoiceChips
          legend={account.specialties}
          hint={signUp.specialtiesHint}
          options={SIGN_UP_SPECIALTIES}
          chosen={specialties}
          onChange={setSpecialties}
        />
      )}
      <BusyButton fullWidth label={signUp.submit} busyLabel={signUp.busy} busy={signUpCall.isPending} />
    </form>
  );
}
