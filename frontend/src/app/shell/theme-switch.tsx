import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useHydrated } from '../../components/use-hydrated.js';
import { useTexts } from '../../i18n/texts.js';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const ICONS = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;

/** The theme in use, with its name and icon; `next` goes on from system to light to dark (UI-10). */
export function useTheme() {
  const { nav } = useTexts();
  const { colorScheme: chosen, setColorScheme } = useMantineColorScheme();
  // Only this browser knows what was chosen.
  const colorScheme = useHydrated() ? chosen : 'auto';
  return {
    name: nav.theme[colorScheme],
    Icon: ICONS[colorScheme],
    next: () => setColorScheme(NEXT[colorScheme]),
  };
}

/** For the bar of visitors, who have no menu. */
export function ThemeSwitch() {
  const { name, Icon, next } = useTheme();
  return (
    <ActionIcon variant="subtle" color="gray" size={44} aria-label={name} title={name} onClick={next}>
      <Icon size={20} aria-hidden />
    </ActionIcon>
  );
}
