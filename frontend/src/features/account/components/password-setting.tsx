import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Me } from '../../../api/types.js';
import { useAccountTexts } from '../texts.js';
import { useOpenedForm } from '../use-opened-form.js';
import classes from './account.module.css';
import { ChangePasswordForm } from './change-password-form.js';

/** The way to another password (ACCT-9), or to the first one of who signs in without. */
export function PasswordSetting({ me }: { me: Me }) {
  const { password } = useAccountTexts().settings;
  const { isOpen, open, close, form, button } = useOpenedForm();
  return (
    <>
      <p className={classes.muted}>{me.hasPassword ? password.text : password.none}</p>
      {isOpen ? (
        <ChangePasswordForm me={me} element={form} onClose={close} />
      ) : (
        <Button ref={button} className={classes.end} variant="default" onClick={open}>
          {me.hasPassword ? password.change : password.set}
        </Button>
      )}
      {me.hasPassword && (
        <Link to="/forgot-password" state={{ email: me.email }} className={`text-link ${classes.link}`}>
          {password.forgot}
        </Link>
      )}
    </>
  );
}
