import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { Me } from '../../../api/types.js';
import type { CheckedForm } from '../../../validation/use-checked-form.js';
import type { ProfileForm } from '../profile-draft.js';
import { useProfileTexts } from '../texts.js';
import classes from './profile.module.css';

/** In their own languages. */
const MAIL_LANGUAGES: Readonly<Record<Me['language'], string>> = { en: 'English', es: 'Español' };
const OPTIONS = Object.entries(MAIL_LANGUAGES).map(([value, label]) => ({ value, label }));

/** The language of mails (MAIL-6). */
export function MailSettings({ form }: { form: CheckedForm<ProfileForm> }) {
  const { emails } = useProfileTexts().profile;
  return (
    <fieldset className={classes.group}>
      <legend className={classes.groupTitle}>{emails.title}</legend>
      <NativeSelect
        {...form.getInputProps('language')}
        label={emails.language}
        data={OPTIONS}
        rightSection={<IconChevronDown size={18} aria-hidden />}
      />
    </fieldset>
  );
}
