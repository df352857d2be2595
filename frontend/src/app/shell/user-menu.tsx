import { Menu } from '@mantine/core';
import { IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import type { Me } from '../../api/types.js';
import { Avatar } from '../../components/avatar.js';
import { useMessages } from '../../i18n/messages.js';
import classes from './shell.module.css';
import { useLogOut } from './use-log-out.js';

/** The profile menu. */
export function UserMenu({ user, onShortcuts }: { user: Me; onShortcuts: () => void }) {
  const { nav, shortcuts } = useMessages();
  const navigate = useNavigate();
  const logOut = useLogOut();
  return (
    <Menu position="bottom-end" width={220} shadow="md">
      <Menu.Target>
        <button type="button" className={classes.account} aria-label={nav.account(user.name)}>
          <Avatar user={user} size={36} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUser size={18} aria-hidden />} onClick={() => void navigate('/profile')}>
          {nav.profile}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={18} aria-hidden />} onClick={onShortcuts}>
          {shortcuts.open}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={() => void logOut()}>
          {nav.logout}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
