import { Button, Checkbox, TextInput, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { errorText, hasCode } from '../../../server/http/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Me } from '../../../api/types.js';
import { useConfig } from '../../../shared/config.js';
import { KNOWN_SPECIALTIES, useSpecialties } from '../../../shared/specialties.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { tellFailure } from '../../../components/feedback/tell-failure.js';
import { settle, undoable } from '../../../components/feedback/undoable.js';
import { useMounted } from '../../../components/use-mounted.js';
import { written, writtenLine } from '../../../text/written.js';
import { bioError, nameError, specialtiesError, usernameError } from '../../../validation/account.js';
import { ruleTexts } from '../../../validation/texts.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useUpdateMe } from '../api/update-me.js';
import type { ProfileChange } from '../api/update-me.js';
import { freePicture } from '../picture/free-picture.js';
import { PictureField } from '../picture/picture-field.js';
import { changedFields, keepProfileDraft, toForm } from '../profile-draft.js';
import type { ProfileDraft, ProfileForm } from '../profile-draft.js';
import { leastPriceError, priceError, priceOf } from '../price.js';
import { addSpecialty } from '../specialties.js';
import { useProfileTexts } from '../texts.js';
import { PriceSettings } from './price-settings.js';
import classes from './profile.module.css';
import { SpecialtiesEditor } from './specialties-editor.js';

/** Only the fields that differ: PATCH leaves the rest unchanged. Who becomes a coach gets the price that the form shows, also the proposed one. */
export function profileChange(me: Me, form: ProfileForm): ProfileChange {
  const name = writtenLine(form.name);
  const username = form.username.trim().toLowerCase();
  const bio = written(form.bio);
  const price = priceOf(form.subscriptionPrice);
  const samePrice = price === undefined || price === me.subscriptionPrice;
  const sameCurrency =
    price === undefined || price === null || form.subscriptionCurrency === me.subscriptionCurrency;
  const sameSpecialties =
    form.specialties.length === me.specialties.length &&
    form.specialties.every((one, index) => one === me.specialties[index]);
  return {
    ...(form.profileImageId !== undefined && { profileImageId: form.profileImageId }),
    ...(form.name.trim() !== me.name && { name }),
    ...(username !== me.username && { username }),
    ...(bio !== me.bio && { bio }),
    ...(form.isCoach !== me.isCoach && { isCoach: form.isCoach }),
    ...(form.isCoach && !sameSpecialties && { specialties: form.specialties }),
    ...(form.isCoach && !samePrice && { subscriptionPrice: price }),
    ...(form.isCoach && !sameCurrency && { subscriptionCurrency: form.subscriptionCurrency }),
  };
}

interface EditProfileFormProps {
  me: Me;
  /** What was changed and not saved when the page was left. */
  draft?: ProfileDraft;
  onDone: () => void;
  /** What was discarded is the draft again; the form may be open meanwhile. */
  onUndone: () => void;
}

const SUBJECT = 'edit-profile';

/** Cancel discards what was changed, which can be undone; anything else keeps it (UI-29, UI-41). */
export function EditProfileForm({ me, draft, onDone, onUndone }: EditProfileFormProps) {
  const texts = useProfileTexts();
  const { profile } = texts;
  const { fields, username, email } = ruleTexts();
  const mounted = useMounted();
  const queryClient = useQueryClient();
  const element = useRef<HTMLFormElement>(null);
  const [isCoach, setIsCoach] = useState(draft?.isCoach ?? me.isCoach);
  const known = useSpecialties({ enabled: isCoach }).data ?? KNOWN_SPECIALTIES;
  const withTyped = ({ specialties, specialty }: ProfileForm) => addSpecialty(known, specialties, specialty);
  const least = useConfig({ enabled: isCoach }).data?.minimumPrice;
  const priceProblem = (values: ProfileForm) => {
    const { subscriptionPrice, subscriptionCurrency } = values;
    const wrong = priceError(subscriptionPrice, texts);
    const change = profileChange(me, values);
    const isSent = change.subscriptionPrice !== undefined || change.subscriptionCurrency !== undefined;
    if (wrong !== undefined || !isSent || !least) return wrong;
    return leastPriceError(subscriptionPrice, least[subscriptionCurrency], subscriptionCurrency, texts);
  };
  const form = useCheckedForm({
    name: 'edit-profile',
    initialValues: { ...toForm(me), ...draft },
    check: (values) => ({
      name: nameError(values.name, texts),
      username: usernameError(values.username),
      bio: bioError(values.bio, texts),
      specialties: values.isCoach ? specialtiesError(withTyped(values), texts) : undefined,
      subscriptionPrice: values.isCoach ? priceProblem(values) : undefined,
    }),
    onChange: (values) => {
      setIsCoach(values.isCoach);
      keepProfileDraft(me.id, changedFields(me, values));
      // What was discarded before would replace what is typed now.
      void settle(SUBJECT);
    },
  });

  const update = useUpdateMe({
    onSaved: () => {
      keepProfileDraft(me.id, undefined);
      void settle(SUBJECT);
      if (mounted.current) onDone();
      toast({ type: 'success', message: profile.updated });
    },
    onFailed: (error) => {
      if (mounted.current && form.refuse(error)) return;
      if (mounted.current && hasCode(error, 'media-not-attachable')) {
        form.setFieldValue('profileImageId', undefined);
        form.setFieldError('profileImageId', profile.picture.gone);
        return;
      }
      tellFailure(errorText(error, profile.updateFailed, texts), element.current);
    },
  });
  const submit = form.submit((values) => {
    const whole = { ...values, specialties: withTyped(values), specialty: '' };
    form.setValues(whole);
    update.mutate(profileChange(me, whole));
  });
  const discard = () => {
    // What is being saved cannot be discarded any more; the outcome is told.
    if (update.isPending) return onDone();
    const changed = changedFields(me, form.getValues());
    keepProfileDraft(me.id, undefined);
    onDone();
    if (!changed) return;
    const undo = () => {
      keepProfileDraft(me.id, changed);
      onUndone();
    };
    const { discarded, undo: undoLabel } = texts.dialog;
    const uploaded = changed.profileImageId;
    const send = async () => {
      const isFree = await freePicture(uploaded!);
      if (!isFree) toast({ type: 'info', message: profile.picture.notFreed });
      void queryClient.invalidateQueries({ queryKey: queryKeys.storage });
      return isFree;
    };
    const notice = { type: 'info', message: discarded, subject: SUBJECT, undoLabel, undo } as const;
    undoable(uploaded ? { ...notice, send } : notice);
  };

  return (
    <>
      <PictureField
        {...form.getInputProps('profileImageId')}
        me={me}
        value={form.values.profileImageId}
        onChange={(picture) => form.setFieldValue('profileImageId', picture)}
      />
      <form ref={element} className={classes.form} onSubmit={submit} noValidate>
        <TextInput {...form.getInputProps('name')} label={fields.name} autoComplete="name" />
        <TextInput
          {...form.getInputProps('username')}
          label={fields.username}
          description={username.hint}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <div>
          <TextInput
            label={fields.email}
            description={email.hint}
            type="email"
            variant="unstyled"
            value={me.email}
            readOnly
          />
          {me.pendingEmail !== null && (
            <p className={classes.muted}>{profile.pendingEmail(me.pendingEmail)}</p>
          )}
          <Link to="/settings" className={`text-link ${classes.settings}`}>
            {profile.changeEmail}
          </Link>
        </div>
        <div>
          <Textarea {...form.getInputProps('bio')} label={fields.bio} autosize minRows={3} maxRows={10} />
          <CharactersLeft text={form.values.bio} limit={LIMITS.bioLength} />
        </div>
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
        {isCoach && <PriceSettings form={form} mayHaveSubscribers={me.isCoach} />}
        <div className={classes.buttons}>
          <Button variant="default" onClick={discard}>
            {profile.cancel}
          </Button>
          <BusyButton label={profile.save} busyLabel={profile.saving} busy={update.isPending} />
        </div>
      </form>
    </>
  );
}
