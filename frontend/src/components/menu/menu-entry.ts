import type { Icon } from '@tabler/icons-react';

export interface MenuEntry {
  label: string;
  Icon: Icon;
  run: () => void;
  /** The menu stays open after a press. */
  staysOpen?: boolean;
}

/** The button that opened the menu, for a dialog to return the focus to; the menu's entries are gone by then. */
export type ReturnFocusTo = () => HTMLElement | null;

export type MenuEntries = (returnFocusTo: ReturnFocusTo) => MenuEntry[];
