import { Button, Checkbox, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../../../api/api-error.js';
import type { Me } from '../../../api/types.js';
import { KNOWN_SPECIALTIES, useSpecialties } from '../../../client/specialties.js';
import { BusyButton } from '../../../components/busy-button.js';
import { notify } from '../../../components/feedback/feedback-store.js';
import { bioError, nameError, specialtiesError, usernameError } from '../../../validation/account.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useUpdateMe } from '../api/update-me.js';
import type { ProfileChange } from '../api/update-me.js';
import { useProfileMessages } from '../messages.js';
import { addSpecialty } from '../specialties.js';
import classes from './profile.module.css';
import { SpecialtiesEditor } from './specialties-editor.js';

interface Form {
  name: string;
  username: string;
  bio: string;
  isCoach: boolean;
  specialties: string[];
  /** Typed, but not added yet. */
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

/** Only the fields that differ: PATCH leaves the rest unchanged, also a coach's price. */
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

interface EditProfileFormProps {
  me: Me;
  onDone: () => void;
  /** Gets the focus when the form is closed. */
  returnFocusTo: () => HTMLElement | null;
}

export function EditProfileForm({ me, onDone, returnFocusTo }: EditProfileFormProps) {
  const messages = useProfileMessages();
  const { account, profile } = messages;
  const update = useUpdateMe();
  const [isCoach, setIsCoach] = useState(me.isCoach);
  const known = useSpecialties({ enabled: isCoach }).data ?? KNOWN_SPECIALTIES;
  const withTyped = ({ specialties, specialty }: Form) => addSpecialty(known, specialties, specialty);
  const form = useCheckedForm({
    name: 'edit-profile',
    initialValues: toForm(me),
    check: (values) => ({
      name: nameError(values.name, messages),
      username: usernameError(values.username, messages),
      bio: bioError(values.bio, messages),
      specialties: values.isCoach ? specialtiesError(withTyped(values), messages) : undefined,
    }),
    onChange: (values) => setIsCoach(values.isCoach),
  });

  const submit = form.submit((values) => {
    const whole = { ...values, specialties: withTyped(values), specialty: '' };
    form.setValues(whole);
    update.mutate(profileChange(me, whole), {
      onSuccess: () => {
        onDone();
        notify({ type: 'success', message: profile.updated, returnFocusTo });
      },
      onError: (error) => {
        if (form.refuse(error)) return;
        notify({ type: 'error', message: errorText(error, profile.updateFailed, messages) });
      },
    });
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput {...form.getInputProps('name')} label={account.name} autoComplete="name" />
      <TextInput
        {...form.getInputProps('username')}
        label={account.username}
        description={account.usernameHint}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextInput
        label={account.email}
        description={profile.emailHint}
        type="email"
        variant="unstyled"
        value={me.email}
        readOnly
      />
      <Textarea {...form.getInputProps('bio')} label={account.bio} autosize minRows={3} maxRows={10} />
      <Checkbox
        {...form.getInputProps('isCoach', { type: 'checkbox' })}
        className={classes.check}
        label={profile.becomeCoach}
      />
      {isCoach && (
        <SpecialtiesEditor
          {...form.getInputProps('specialties')}
          known={known}
          value={form.values.specialties}
          text={form.values.specialty}
          onChange={(specialties, specialty) => form.setValues({ specialties, specialty })}
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
