import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.js';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const ICONS = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;

/** Cycles through system, light and dark. */
export function ThemeSwitch() {
  const { nav } = useMessages();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = ICONS[colorScheme];
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label={nav.theme[colorScheme]}
      title={nav.theme[colorScheme]}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  );
}
