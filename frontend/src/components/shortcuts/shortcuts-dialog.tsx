import { Switch } from '@mantine/core';
import { useTexts } from '../../i18n/texts.js';
import { Dialog } from '../dialog.js';
import { setShortcutsEnabled, useShortcutsEnabled } from './shortcut-setting.js';
import classes from './shortcuts-dialog.module.css';
import { PUBLISHER, SEARCH } from './targets.js';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { shortcuts } = useTexts();
  const enabled = useShortcutsEnabled();
  const list: [keys: string, what: string][] = [
    ['j', shortcuts.next],
    ['k', shortcuts.previous],
    ['o, Enter', shortcuts.openPost],
    ['l', shortcuts.like],
    [PUBLISHER.key, shortcuts.newPost],
    [SEARCH.key, shortcuts.search],
    ['?', shortcuts.help],
    ['Ctrl/⌘ + Enter', shortcuts.send],
    ['Esc', shortcuts.escape],
  ];
  return (
    <Dialog title={shortcuts.title} onClose={onClose}>
      <dl className={classes.list}>
        {list.map(([keys, what]) => (
          <div key={keys} className={classes.row}>
            <dt>{what}</dt>
            <dd>
              <kbd className={classes.key}>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        className={classes.enabled}
        data-autofocus
        label={shortcuts.enabled}
        checked={enabled}
        onChange={(event) => setShortcutsEnabled(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
