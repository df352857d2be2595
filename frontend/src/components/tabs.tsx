import { useId, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './tabs.module.css';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string }[];
  current: Id;
  onChange: (id: Id) => void;
  /** The current tab's panel. */
  children: ReactNode;
}

/** Tabs as the ARIA pattern has them: one stop, arrows, Home and End move and choose. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: TabsProps<Id>) {
  const prefix = useId();
  const row = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex(({ id }) => id === current);

  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (target === undefined || !tab) return;
    event.preventDefault();
    onChange(tab.id);
    row.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus();
  };

  return (
    <>
      <div ref={row} role="tablist" aria-label={label} className={classes.tabs} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${prefix}${tab.id}`}
            aria-controls={tab.id === current ? `${prefix}panel` : undefined}
            aria-selected={tab.id === current}
            tabIndex={tab.id === current ? 0 : -1}
            className={classes.tab}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${prefix}panel`}
        aria-labelledby={`${prefix}${current}`}
        className={classes.panel}
      >
        {children}
      </div>
    </>
  );
}
