import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Me } from '../api/types.js';
import { Title } from '../components/title.js';
import { DeletionSetting } from '../features/account/components/deletion-setting.js';
import { DeviceList } from '../features/account/components/device-list.js';
import { EmailSetting } from '../features/account/components/email-setting.js';
import { ExportSetting } from '../features/account/components/export-setting.js';
import { MailSettings } from '../features/account/components/mail-settings.js';
import { PasswordSetting } from '../features/account/components/password-setting.js';
import { SettingsSection } from '../features/account/components/settings-section.js';
import { ThemeSetting } from '../features/account/components/theme-setting.js';
import { deviceName } from '../features/account/device-name.js';
import { useAccountTexts } from '../features/account/texts.js';
import { ArchiveSetting } from '../features/archive/components/archive-setting.js';
import { ImportSetting } from '../features/archive/components/import-setting.js';
import { PasskeyList } from '../features/passkeys/components/passkey-list.js';
import { usePasskeyTexts } from '../features/passkeys/texts.js';
import { UserListDialog } from '../features/people/components/user-list-dialog.js';
import { usePeopleDialogTexts } from '../features/people/dialog-texts.js';
import { usePeopleActions } from '../features/people/use-people-actions.js';
import { useMe } from '../features/profile/api/get-me.js';
import { useCurrentUser } from '../server/session/session.js';
import { useLogOut } from '../shared/use-log-out.js';
import { Column } from './parts/column.js';
import classes from './pages.module.css';

/** /settings (UI-73). */
export default function SettingsPage() {
  const viewer = useCurrentUser();
  return viewer ? <Settings viewer={viewer} /> : null;
}

function Settings({ viewer }: { viewer: Me }) {
  const { app, nav, settings } = useAccountTexts();
  const { passkeys } = usePasskeyTexts();
  const { me } = useMe(viewer);
  const logOut = useLogOut();
  const logOutButton = useRef<HTMLButtonElement>(null);
  return (
    <Column>
      <Title>{app.title(settings.title)}</Title>
      <h1 className={classes.title}>{settings.title}</h1>
      <SettingsSection title={settings.account}>
        <EmailSetting me={me} />
        <Button
          ref={logOutButton}
          className={classes.start}
          variant="default"
          onClick={() => void logOut(() => logOutButton.current)}
        >
          {nav.logout}
        </Button>
      </SettingsSection>
      <SettingsSection title={settings.security}>
        <PasswordSetting me={me} />
      </SettingsSection>
      <SettingsSection title={passkeys.title} text={passkeys.text}>
        <PasskeyList me={me} deviceName={deviceName(navigator.userAgent, settings)} />
      </SettingsSection>
      <SettingsSection title={settings.sessions.title} text={settings.sessions.text}>
        <DeviceList />
      </SettingsSection>
      <SettingsSection title={settings.emails.title}>
        <MailSettings me={me} />
      </SettingsSection>
      <SettingsSection title={settings.theme.title}>
        <ThemeSetting />
      </SettingsSection>
      <BlockedPeople viewerId={viewer.id} />
      <SettingsSection title={settings.data.title}>
        <div className={classes.parts}>
          <ArchiveSetting />
          <ExportSetting />
          <ImportSetting me={me} />
        </div>
      </SettingsSection>
      <SettingsSection title={settings.deletion.title} text={settings.deletion.text}>
        <DeletionSetting me={me} />
      </SettingsSection>
    </Column>
  );
}

function BlockedPeople({ viewerId }: { viewerId: string }) {
  const { blocks } = useAccountTexts().settings;
  const { lists } = usePeopleDialogTexts();
  const [isOpen, setOpen] = useState(false);
  const actions = usePeopleActions();
  return (
    <SettingsSection title={lists.titles.blocks} text={blocks.text}>
      <Button className={classes.start} variant="default" onClick={() => setOpen(true)}>
        {blocks.show}
      </Button>
      {isOpen && (
        <UserListDialog
          list="blocks"
          userId={viewerId}
          onClose={() => setOpen(false)}
          onUnblock={actions.unblock}
        />
      )}
    </SettingsSection>
  );
}
