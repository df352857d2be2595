import { Button } from '@mantine/core';
import { FormAlert } from '../../../components/form-alert.js';
import { useConfig } from '../../../shared/config.js';
import { useOpenidTexts } from '../texts.js';
import type { OpenidTexts } from '../texts.js';
import { useOpenidSignIn } from '../use-openid-sign-in.js';
import classes from './openid-sign-in.module.css';

/** Which form it stands in. */
type Form = 'log-in' | 'sign-up';

interface Failure {
  code: string;
  provider: string;
  form: Form;
}

/** The code may stand in an address that anybody can write: what is not known says that it failed, and no more. */
function failureText({ code, provider, form }: Failure, { app, openid }: OpenidTexts): string {
  switch (code) {
    case 'email-already-in-use':
      return openid.taken(provider);
    case 'sign-in-denied':
      return openid.denied(provider);
    case 'user-disabled':
      return openid.disabled;
    case 'unavailable':
      return openid.away(provider);
    case 'too-many-requests':
      return app.tooManyRequests;
    default:
      return form === 'log-in' ? openid.logInFailed(provider) : openid.signUpFailed(provider);
  }
}

/** The button of the provider, where one is set up (UI-16). */
export function OpenidSignIn({ form }: { form: Form }) {
  const texts = useOpenidTexts();
  const config = useConfig().data;
  const { error, begin } = useOpenidSignIn();
  // How a sign-in has ended is told also where the configuration cannot be read.
  const provider = config?.openidName ?? texts.openid.provider;
  if (!config?.google && error === undefined) return null;
  return (
    <div className={classes.provider}>
      <p className={classes.or}>{texts.openid.or}</p>
      {error !== undefined && <FormAlert>{failureText({ code: error, provider, form }, texts)}</FormAlert>}
      {config?.google && (
        <Button variant="default" fullWidth onClick={begin}>
          {texts.openid.signIn(provider)}
        </Button>
      )}
    </div>
  );
}
