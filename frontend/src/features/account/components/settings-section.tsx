import { useId } from 'react';
import type { ReactNode } from 'react';
import classes from './account.module.css';

interface SettingsSectionProps {
  title: string;
  /** What it is about. */
  text?: string;
  children: ReactNode;
}

/** A card of the settings (UI-73). */
export function SettingsSection({ title, text, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section className={`card ${classes.section}`} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {text && <p className={classes.muted}>{text}</p>}
      {children}
    </section>
  );
}
