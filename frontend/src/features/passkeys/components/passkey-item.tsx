import { Button, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Passkey } from '../../../api/types.js';
import { Badge } from '../../../components/badge.js';
import { BusyButton } from '../../../components/busy-button.js';
import { confirm, toast } from '../../../components/feedback/feedback-store.js';
import { longDate } from '../../../components/relative-time.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { errorText } from '../../../server/http/api-error.js';
import { nameError } from '../../../validation/account.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useRemovePasskey, useRenamePasskey } from '../api/change-passkey.js';
import { usePasskeyTexts } from '../texts.js';
import classes from './passkeys.module.css';

/** A passkey: its name, since when, when it was last used; its removal asks first, as it cannot be undone (UI-35). */
export function PasskeyItem({ passkey }: { passkey: Passkey }) {
  const texts = usePasskeyTexts();
  const { passkeys: own } = texts;
  const { name, createdAt, lastUsedAt, backedUp } = passkey;
  const [isRenamed, setRenamed] = useState(false);
  const entry = useFocusHandover<HTMLLIElement>('section');
  // The buttons and the form take each other's place.
  const holder = useFocusKept<HTMLDivElement>(isRenamed);
  return (
    <li ref={entry} tabIndex={-1} className={classes.passkey}>
      <IconKey size={24} aria-hidden />
      <div>
        <p className={classes.row}>
          <span className={classes.name}>{name}</span>
          {backedUp && <Badge>{own.backedUp}</Badge>}
        </p>
        <p className={classes.muted}>
          {own.addedOn(longDate(createdAt, texts.locale))}
          {' · '}
          {lastUsedAt === null ? (
            own.neverUsed
          ) : (
            <>
              {own.lastUsed} <TimeAgo time={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <div ref={holder} className={classes.actions}>
        {isRenamed ? (
          <RenameForm passkey={passkey} onClose={() => setRenamed(false)} />
        ) : (
          <>
            <Button variant="default" aria-label={own.renameOf(name)} onClick={() => setRenamed(true)}>
              {own.rename}
            </Button>
            <RemoveButton passkey={passkey} />
          </>
        )}
      </div>
    </li>
  );
}

function RemoveButton({ passkey: { id, name } }: { passkey: Passkey }) {
  const texts = usePasskeyTexts();
  const { passkeys: own } = texts;
  const button = useRef<HTMLButtonElement>(null);
  const remove = useRemovePasskey(id, {
    onDone: () => toast({ type: 'success', message: own.removed(name) }),
    onFailed: (error) => toast({ type: 'error', message: errorText(error, own.removeFailed, texts) }),
  });
  const ask = async () => {
    const confirmed = await confirm({
      title: own.askTitle,
      message: own.ask(name),
      confirmLabel: own.remove,
      danger: true,
      returnFocusTo: () => button.current,
    });
    if (confirmed) remove.mutate();
  };
  return (
    <BusyButton
      ref={button}
      variant="default"
      label={own.remove}
      busyLabel={own.removing}
      busy={remove.isPending}
      aria-label={remove.isPending ? undefined : own.removeOf(name)}
      onClick={() => void ask()}
    />
  );
}

function RenameForm({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const texts = usePasskeyTexts();
  const { passkeys: own } = texts;
  const form = useCheckedForm({
    name: `rename-passkey-${id}`,
    initialValues: { name },
    check: (values) => ({ name: nameError(values.name, texts) }),
  });
  const rename = useRenamePasskey(id, {
    onDone: onClose,
    onFailed: (error) => {
      if (!form.refuse(error)) toast({ type: 'error', message: errorText(error, own.renameFailed, texts) });
    },
  });
  const submit = form.submit((values) => rename.mutate(values.name.trim()));
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput {...form.getInputProps('name')} label={own.name} autoComplete="off" />
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {texts.dialog.cancel}
        </Button>
        <BusyButton label={own.save} busyLabel={own.saving} busy={rename.isPending} />
      </div>
    </form>
  );
}
