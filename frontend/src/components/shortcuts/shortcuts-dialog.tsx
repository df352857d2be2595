import { Switch } from '@mantine/core';
import { Dialog } from '../dialog.js';
import { useShortcutTexts } from './shortcut-texts.js';
import { setShortcutsEnabled, useShortcutsEnabled } from './shortcut-setting.js';
import classes from './shortcuts-dialog.module.css';
import { PUBLISHER, SEARCH } from './targets.js';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { shortcuts, keys } = useShortcutTexts();
  const enabled = useShortcutsEnabled();
  const list: [pressed: string, what: string][] = [
    ['j', keys.next],
    ['k', keys.previous],
    ['o, Enter', keys.openPost],
    ['l', keys.like],
    [PUBLISHER.key, keys.newPost],
    [SEARCH.key, keys.search],
    ['?', keys.help],
    ['Ctrl/⌘ + Enter', keys.send],
    ['Esc', keys.escape],
  ];
  return (
    <Dialog title={shortcuts.open} onClose={onClose}>
      <dl className={classes.list}>
        {list.map(([pressed, what]) => (
          <div key={pressed} className={classes.row}>
            <dt>{what}</dt>
            <dd>
              <kbd className={classes.key}>{pressed}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        className={classes.enabled}
        data-autofocus
        label={keys.enabled}
        checked={enabled}
        onChange={(event) => setShortcutsEnabled(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
