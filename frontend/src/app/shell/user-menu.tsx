import { IconKeyboard, IconLogout } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import type { Me } from '../../api/types.js';
import { Avatar } from '../../components/avatar.js';
import { MenuButton } from '../../components/menu/menu-button.js';
import { useTexts } from '../../i18n/texts.js';
import { ICONS } from './destination-icons.js';
import { destinationsAt, viewerOf } from './destinations.js';
import classes from './shell.module.css';
import { useTheme } from './theme-switch.js';
import { useLogOut } from '../../shared/use-log-out.js';

/** The profile menu. */
export function UserMenu({ user, onShortcuts }: { user: Me; onShortcuts: () => void }) {
  const { nav, shortcuts } = useTexts();
  const navigate = useNavigate();
  const logOut = useLogOut();
  const theme = useTheme();
  return (
    <MenuButton
      width={220}
      entries={(opener) => [
        ...destinationsAt('userMenu', viewerOf(user)).map(({ id, text, to }) => ({
          label: nav[text],
          Icon: ICONS[id],
          run: () => void navigate(to),
        })),
        { label: theme.name, Icon: theme.Icon, run: theme.next, staysOpen: true },
        { label: shortcuts.open, Icon: IconKeyboard, run: onShortcuts },
        { label: nav.logout, Icon: IconLogout, run: () => void logOut(opener) },
      ]}
    >
      <button type="button" className={classes.account} aria-label={nav.account(user.name)}>
        <Avatar user={user} size={36} />
      </button>
    </MenuButton>
  );
}
