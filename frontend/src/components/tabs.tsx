import { Tabs as MantineTabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classes from './tabs.module.css';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string }[];
  current: Id;
  onChange: (id: Id) => void;
  /** Where a tab is the current one: without scripts the row is one of links. */
  addressOf: (id: Id) => string;
  /** The current tab's panel. */
  children: ReactNode;
}

/** A row of tabs over the panel of the current one. */
export function Tabs<Id extends string>({
  label,
  tabs,
  current,
  onChange,
  addressOf,
  children,
}: TabsProps<Id>) {
  return (
    <MantineTabs
      value={current}
      onChange={(id) => onChange(id as Id)}
      keepMounted={false}
      classNames={{ root: classes.root, list: classes.list, tab: classes.tab, panel: classes.panel }}
    >
      <MantineTabs.List aria-label={label}>
        {tabs.map((tab) => (
          <MantineTabs.Tab key={tab.id} value={tab.id}>
            {tab.label}
          </MantineTabs.Tab>
        ))}
      </MantineTabs.List>
      <noscript>
        <nav className={classes.links} aria-label={label}>
          {tabs.map((tab) => (
            <Link key={tab.id} to={addressOf(tab.id)} aria-current={tab.id === current ? 'page' : undefined}>
              {tab.label}
            </Link>
          ))}
        </nav>
      </noscript>
      <MantineTabs.Panel key={current} value={current}>
        {children}
      </MantineTabs.Panel>
    </MantineTabs>
  );
}
