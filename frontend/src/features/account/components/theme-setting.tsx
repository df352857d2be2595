import { useMantineColorScheme } from '@mantine/core';
import { useAccountTexts } from '../texts.js';
import classes from './account.module.css';

const THEMES = ['auto', 'light', 'dark'] as const;

/** The theme of this browser (UI-10). */
export function ThemeSetting() {
  const { theme } = useAccountTexts().settings;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={classes.choices}>
      <legend className="visually-hidden">{theme.title}</legend>
      {THEMES.map((one) => (
        <label key={one} className={classes.choice}>
          <input
            type="radio"
            name="theme"
            checked={colorScheme === one}
            onChange={() => setColorScheme(one)}
          />
          {theme.names[one]}
        </label>
      ))}
    </fieldset>
  );
}
