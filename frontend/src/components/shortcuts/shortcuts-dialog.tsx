import { Switch } from '@mantine/core';
import { Dialog } from '../dialog.js';
import { setShortcutsEnabled, useShortcutsEnabled } from './shortcut-setting.js';
import classes from './shortcuts-dialog.module.css';
import { PUBLISHER, SEARCH } from './targets.js';
import { useShortcutTexts } from './texts.js';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { keys: texts } = useShortcutTexts();
  const enabled = useShortcutsEnabled();
  const list: [keys: string, what: string][] = [
    ['j', texts.next],
    ['k', texts.previous],
    ['o, Enter', texts.openPost],
    ['l', texts.like],
    [PUBLISHER.key, texts.newPost],
    [SEARCH.key, texts.search],
    ['?', texts.help],
    ['Ctrl/⌘ + Enter', texts.send],
    ['Esc', texts.escape],
  ];
  return (
    <Dialog title={texts.title} onClose={onClose}>
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
        label={texts.enabled}
        checked={enabled}
        onChange={(event) => setShortcutsEnabled(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
