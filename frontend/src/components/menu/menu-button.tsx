import { cloneElement, useState } from 'react';
import type { ButtonHTMLAttributes, ComponentType, ReactElement, Ref } from 'react';
import { useTexts } from '../../i18n/texts.js';
import { toast } from '../feedback/feedback-store.js';
import type { MenuEntries } from './menu-entry.js';

export interface MenuButtonProps {
  entries: MenuEntries;
  /** Of the menu, in px. */
  width: number;
  /** The button. */
  children: ReactElement<ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }>;
}

const loadMenu = async () => (await import('./loaded-menu.js')).LoadedMenu;

/** A button with a menu, whose code is loaded when the button is pointed at, focused or pressed. */
export function MenuButton(props: MenuButtonProps) {
  const { app } = useTexts();
  const [Loaded, setLoaded] = useState<ComponentType<MenuButtonProps>>();
  const [busy, setBusy] = useState(false);
  if (Loaded) return <Loaded {...props} />;

  const open = async (button: Element) => {
    if (busy) return;
    setBusy(true);
    try {
      const Menu = await loadMenu();
      // Who has gone on meanwhile, to a field perhaps, is left alone. Safari focuses what is around a pressed button.
      if (!document.activeElement || document.activeElement.contains(button)) setLoaded(() => Menu);
    } catch {
      toast({ type: 'error', message: app.loadFailed });
    }
    setBusy(false);
  };
  // A failure is told when the button is pressed, which loads the code again.
  const prepare = () => void loadMenu().catch(() => undefined);
  return cloneElement(props.children, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    'aria-busy': busy || undefined,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: ({ currentTarget }) => void open(currentTarget),
  });
}
