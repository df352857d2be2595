import { Menu } from '@mantine/core';
import { cloneElement, useLayoutEffect, useState } from 'react';
import { BackCloses } from '../back-closes.js';
import type { MenuButtonProps } from './menu-button.js';

/** Mantine's menu, open from the start: it takes the place of a button that was pressed. */
export function LoadedMenu({ entries, width, children }: MenuButtonProps) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [closed, setClosed] = useState(false);
  // The button that was pressed is gone, and with it the focus; the menu notes in its effects what has the focus.
  useLayoutEffect(() => button?.focus({ preventScroll: true }), [button]);
  return (
    <Menu
      position="bottom-end"
      width={width}
      shadow="md"
      opened={button !== null && !closed}
      onChange={(opened) => setClosed(!opened)}
    >
      <Menu.Target>{cloneElement(children, { ref: setButton })}</Menu.Target>
      <Menu.Dropdown style={{ overflowWrap: 'anywhere' }}>
        <BackCloses onBack={() => setClosed(true)} />
        {entries(() => button).map(({ label, Icon, run, staysOpen = false }, index) => (
          <Menu.Item
            key={index}
            leftSection={<Icon size={18} aria-hidden />}
            closeMenuOnClick={!staysOpen}
            onClick={run}
          >
            <span className="two-lines">{label}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
