import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';

/** The button that opened the menu, for a dialog to return the focus to; the menu's items are gone by then. */
export type ReturnFocusTo = () => HTMLElement | null;

interface DotsMenuProps {
  label: string;
  variant?: 'default' | 'subtle';
  /** The menu's items. */
  children: (returnFocusTo: ReturnFocusTo) => ReactNode;
}

/** A menu behind a button with three dots. */
export function DotsMenu({ label, variant = 'subtle', children }: DotsMenuProps) {
  const [target, setTarget] = useState<HTMLButtonElement | null>(null);
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <ActionIcon ref={setTarget} variant={variant} color="gray" size={44} aria-label={label}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown style={{ overflowWrap: 'anywhere' }}>{children(() => target)}</Menu.Dropdown>
    </Menu>
  );
}
