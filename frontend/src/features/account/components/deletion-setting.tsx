import { Button } from '@mantine/core';
import type { Me } from '../../../api/types.js';
import { useAccountTexts } from '../texts.js';
import { useOpenedForm } from '../use-opened-form.js';
import classes from './account.module.css';
import { DeleteAccountForm } from './delete-account-form.js';

/** The way to the end of the account (UI-76). */
export function DeletionSetting({ me }: { me: Me }) {
  const { deletion } = useAccountTexts().settings;
  const { isOpen, open, close, form, button } = useOpenedForm();
  return isOpen ? (
    <DeleteAccountForm me={me} element={form} onClose={close} />
  ) : (
    <Button ref={button} className={classes.end} variant="default" onClick={open}>
      {deletion.open}
    </Button>
  );
}
