import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Me } from '../../api/types.js';
import { useTexts } from '../../i18n/texts.js';
import { Bell } from './bell.js';
import { UserMenu } from './user-menu.js';

interface HeaderToolsProps {
  user: Me;
  wide: boolean;
  onSearch: () => void;
  onBell: () => void;
  onShortcuts: () => void;
}

/** A member's end of the bar: search (UI-55), bell, and on wide screens the user's menu. */
export function HeaderTools({ user, wide, onSearch, onBell, onShortcuts }: HeaderToolsProps) {
  const { nav } = useTexts();
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={nav.search}
        title={nav.search}
        onClick={onSearch}
      >
        <IconSearch size={22} aria-hidden />
      </ActionIcon>
      <Bell onOpen={onBell} />
      {wide && <UserMenu user={user} onShortcuts={onShortcuts} />}
    </>
  );
}
