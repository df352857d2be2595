import { Button } from '@mantine/core';
import { useState } from 'react';
import { SETTINGS_LIMITS } from '../../../api/settings-limits.js';
import type { Me } from '../../../api/types.js';
import { RowSkeletons } from '../../../components/row-skeletons.js';
import { LoadError } from '../../../components/states.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { hasPasskeys } from '../../../shared/passkeys/authenticator.js';
import { usePasskeys } from '../../../shared/passkeys/passkeys.js';
import { usePasskeyTexts } from '../texts.js';
import { AddPasskeyForm } from './add-passkey-form.js';
import { PasskeyItem } from './passkey-item.js';
import classes from './passkeys.module.css';

interface PasskeyListProps {
  me: Me;
  /** What a new passkey is called unless the user says otherwise. */
  deviceName: string;
}

/** The viewer's passkeys, each with ways to rename and remove it, and the way to another one (UI-75). */
export function PasskeyList({ me, deviceName }: PasskeyListProps) {
  const { passkeys: own } = usePasskeyTexts();
  const { data: passkeys, error, refetch } = usePasskeys();
  if (!passkeys) {
    return error ? (
      <LoadError error={error} fallback={own.failed} onRetry={() => void refetch()} />
    ) : (
      <RowSkeletons count={1} className={classes.skeletons} />
    );
  }
  return (
    <>
      {passkeys.length > 0 ? (
        <ul aria-label={own.title} tabIndex={-1}>
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      ) : (
        <p className={classes.muted}>{own.none}</p>
      )}
      <Addition isFull={passkeys.length >= SETTINGS_LIMITS.passkeys} me={me} deviceName={deviceName} />
    </>
  );
}

function Addition({ isFull, ...props }: PasskeyListProps & { isFull: boolean }) {
  const { passkeys: own } = usePasskeyTexts();
  if (!hasPasskeys()) return <p className={classes.muted}>{own.unsupported}</p>;
  if (isFull) return <p className={classes.muted}>{own.full(SETTINGS_LIMITS.passkeys)}</p>;
  return <NewPasskey {...props} />;
}

function NewPasskey({ me, deviceName }: PasskeyListProps) {
  const { passkeys: own } = usePasskeyTexts();
  const [isOpen, setOpen] = useState(false);
  // The pressed button and the form take each other's place.
  const holder = useFocusKept<HTMLDivElement>(isOpen);
  return (
    <div ref={holder}>
      {isOpen ? (
        <AddPasskeyForm me={me} deviceName={deviceName} onClose={() => setOpen(false)} />
      ) : (
        <Button variant="default" onClick={() => setOpen(true)}>
          {own.add}
        </Button>
      )}
    </div>
  );
}
