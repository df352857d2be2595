import { Button, Checkbox, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { ApiError, errorText, fieldErrorText, hasCode } from '../../../api/api-error.js';
import type { Me } from '../../../api/types.js';
import { KNOWN_SPECIALTIES, useSpecialties } from '../../../client/specialties.js';
import { BusyButton } from '../../../components/busy-button.js';
import { notify } from '../../../components/feedback/feedback-store.js';
import { bioError, nameError, specialtiesError, usernameError } from '../../../validation/account.js';
import { focusFirstError } from '../../../validation/focus-first-error.js';
import { useUpdateMe } from '../api/update-me.js';
import type { ProfileChange } from '../api/update-me.js';
import { useProfileMessages } from '../messages.js';
import { addSpecialty } from '../specialties.js';
import classes from './profile.module.css';
import { SpecialtiesEditor } from './specialties-editor.js';

const FIELDS = ['name', 'username', 'bio', 'specialties'] as const;

interface Form {
  name: string;
  username: string;
  bio: string;
  isCoach: boolean;
  specialties: string[];
  /** Typed, not added yet. */
  specialty: string;
}

const toForm = ({ name, username, bio, isCoach, specialties }: Me): Form => ({
  name,
  username: username ?? '',
  bio,
  isCoach,
  specialties,
  specialty: '',
});

/** Only what differs: PATCH leaves the rest unchanged, and a price a coach has stays theirs. */
export function profileChange(me: Me, form: Form): ProfileChange {
  const name = form.name.trim();
  const username = form.username.trim().toLowerCase();
  const bio = form.bio.trim();
  const sameSpecialties =
    form.specialties.length === me.specialties.length &&
    form.specialties.every((one, index) => one === me.specialties[index]);
  return {
    ...(name !== me.name && { name }),
    ...(username !== me.username && { username }),
    ...(bio !== me.bio && { bio }),
    ...(form.isCoach !== me.isCoach && { isCoach: form.isCoach }),
    ...(form.isCoach && !sameSpecialties && { specialties: form.specialties }),
  };
}

/** Whether a field of the form shows what is wrong. */
const refusesField = (error: unknown): boolean =>
  hasCode(error, 'username-taken') ||
  FIELDS.some((field) => error instanceof ApiError && field in error.fields);

interface EditProfileFormProps {
  me: Me;
  onDone: () => void;
  /** Where focus goes when the form is gone. */
  returnFocusTo: () => HTMLElement | null;
}

export function EditProfileForm({ me, onDone, returnFocusTo }: EditProfileFormProps) {
  const messages = useProfileMessages();
  const { account, profile, validation } = messages;
  const [form, setForm] = useState(() => toForm(me));
  const update = useUpdateMe();
  const known = useSpecialties({ enabled: form.isCoach }).data ?? KNOWN_SPECIALTIES;
  const specialties = addSpecialty(known, form.specialties, form.specialty);

  const errors = {
    name: nameError(form.name, messages),
    username: usernameError(form.username, messages),
    bio: bioError(form.bio, messages),
    specialties: form.isCoach ? specialtiesError(specialties, messages) : undefined,
  };
  const refused = (field: string) => fieldErrorText(update.error, field, messages);
  const taken = hasCode(update.error, 'username-taken') ? validation.usernameTaken : refused('username');

  const change = (part: Partial<Form>) => {
    if (update.isError) update.reset();
    setForm((current) => ({ ...current, ...part }));
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    if (Object.values(errors).some(Boolean)) return focusFirstError(element);
    if (update.isPending) return;
    const whole = { ...form, specialties, specialty: '' };
    setForm(whole);
    update.mutate(profileChange(me, whole), {
      onSuccess: () => {
        onDone();
        notify({ type: 'success', message: profile.updated, returnFocusTo });
      },
      onError: (error) => {
        // What a field is refused for stands at the field; the dialog is for everything else.
        if (refusesField(error)) focusFirstError(element);
        else notify({ type: 'error', message: errorText(error, profile.updateFailed, messages) });
      },
    });
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={account.name}
        autoComplete="name"
        value={form.name}
        error={errors.name ?? refused('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={account.username}
        description={account.usernameHint}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={form.username}
        error={errors.username ?? taken}
        onChange={(event) => change({ username: event.currentTarget.value })}
      />
      <TextInput
        label={account.email}
        description={profile.emailHint}
        type="email"
        variant="unstyled"
        value={me.email}
        readOnly
      />
      <Textarea
        label={account.bio}
        autosize
        minRows={3}
        maxRows={10}
        value={form.bio}
        error={errors.bio ?? refused('bio')}
        onChange={(event) => change({ bio: event.currentTarget.value })}
      />
      <Checkbox
        className={classes.check}
        label={profile.becomeCoach}
        checked={form.isCoach}
        onChange={(event) => change({ isCoach: event.currentTarget.checked })}
      />
      {form.isCoach && (
        <SpecialtiesEditor
          known={known}
          value={form.specialties}
          text={form.specialty}
          error={errors.specialties ?? refused('specialties')}
          onChange={(specialties, specialty) => change({ specialties, specialty })}
        />
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          {profile.cancel}
        </Button>
        <BusyButton label={profile.save} busyLabel={profile.saving} busy={update.isPending} />
      </div>
    </form>
  );
}
