import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { MenuButton } from './menu-button.js';
import type { MenuEntries } from './menu-entry.js';

interface DotsMenuProps {
  label: string;
  variant?: 'default' | 'subtle';
  entries: MenuEntries;
}

/** A menu behind a button with three dots. */
export function DotsMenu({ label, variant = 'subtle', entries }: DotsMenuProps) {
  return (
    <MenuButton width={240} entries={entries}>
      <ActionIcon variant={variant} color="gray" size={44} aria-label={label}>
        <IconDots size={20} aria-hidden />
      </ActionIcon>
    </MenuButton>
  );
}
