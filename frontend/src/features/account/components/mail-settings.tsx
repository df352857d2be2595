import { NativeSelect, Switch } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { Me } from '../../../api/types.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { errorText, hasStatus } from '../../../server/http/api-error.js';
import { useUpdateAccount } from '../api/update-account.js';
import { useAccountTexts } from '../texts.js';

/** In their own languages. */
const MAIL_LANGUAGES: Readonly<Record<Me['language'], string>> = { en: 'English', es: 'Español' };
const OPTIONS = Object.entries(MAIL_LANGUAGES).map(([value, label]) => ({ value, label }));

type MailKind = keyof Me['emails'];
const KINDS: readonly MailKind[] = ['subscriptions', 'security'];

/** The language of mails, and which of them are wanted beside those of the account itself (MAIL-6). Each is saved at once. */
export function MailSettings({ me }: { me: Me }) {
  return (
    <>
      <MailLanguage me={me} />
      {KINDS.map((kind) => (
        <MailSwitch key={kind} me={me} kind={kind} />
      ))}
    </>
  );
}

function MailLanguage({ me }: { me: Me }) {
  const texts = useAccountTexts();
  const { emails } = texts.settings;
  const save = useUpdateAccount({
    onFailed: (error) => toast({ type: 'error', message: errorText(error, emails.failed, texts) }),
  });
  return (
    <NativeSelect
      label={emails.language}
      data={OPTIONS}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      value={(save.isPending && save.variables.language) || me.language}
      onChange={(event) => save.mutate({ language: event.currentTarget.value as Me['language'] })}
    />
  );
}

function MailSwitch({ me, kind }: { me: Me; kind: MailKind }) {
  const texts = useAccountTexts();
  const { emails } = texts.settings;
  const save = useUpdateAccount({
    onFailed: (error) => {
      // Nothing else of these settings can be forbidden.
      const fallback = hasStatus(error, 403) ? emails.verifyFirst : emails.failed;
      toast({ type: 'error', message: errorText(error, fallback, texts) });
    },
  });
  const asked = save.isPending ? save.variables.emails?.[kind] : undefined;
  return (
    <Switch
      label={emails.kinds[kind]}
      description={emails.kindTexts[kind]}
      checked={asked ?? me.emails[kind]}
      onChange={(event) => save.mutate({ emails: { [kind]: event.currentTarget.checked } })}
    />
  );
}
