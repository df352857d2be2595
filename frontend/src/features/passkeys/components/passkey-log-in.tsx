import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { ApiError, errorText, hasCode } from '../../../server/http/api-error.js';
import { hasPasskeys } from '../../../shared/passkeys/authenticator.js';
import { usePasskeyTexts } from '../texts.js';
import type { PasskeyTexts } from '../texts.js';
import { usePasskeyLogIn } from '../use-passkey-log-in.js';
import classes from './passkeys.module.css';

/** The passkey is blamed only where the server, or the browser, has looked at it (ACCT-12). */
function failureText(error: unknown, texts: PasskeyTexts): string | undefined {
  const { app, passkeys } = texts;
  if (hasCode(error, 'user-disabled')) return passkeys.disabled;
  const isAway = error instanceof ApiError && error.status >= 500;
  return errorText(error, isAway ? app.unavailable : passkeys.signInFailed, texts);
}

/** Signing in by a passkey, where the browser has any (UI-75). */
export function PasskeyLogIn() {
  return hasPasskeys() ? <Offered /> : null;
}

function Offered() {
  const texts = usePasskeyTexts();
  const { error, isWaiting, ask } = usePasskeyLogIn();
  return (
    <div className={classes.logIn}>
      {error && <FormAlert>{failureText(error, texts)}</FormAlert>}
      <BusyButton
        fullWidth
        variant="default"
        label={texts.passkeys.signIn}
        busyLabel={texts.passkeys.signingIn}
        busy={isWaiting}
        onClick={ask}
      />
    </div>
  );
}
