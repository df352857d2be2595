import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { errorText, hasCode } from '../../../server/http/api-error.js';
import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { useUnsubscribe } from '../api/unsubscribe.js';
import { useUnsubscribeTexts } from '../texts.js';
import classes from './unsubscribe.module.css';

/** The kind of mails, a dot, 128 bits. */
const TOKEN = /^(subscriptions|security)\.[\w-]{22}$/;

/**
 * Asks before it switches mails off: opening the link, which mail scanners do too, changes nothing (MAIL-6).
 * `token` is that of the link.
 */
export function Unsubscribe({ token }: { token: string }) {
  const texts = useUnsubscribeTexts();
  const unsubscribe = useUnsubscribe();
  const kind = TOKEN.exec(token)?.[1] as keyof typeof texts.unsubscribe.kinds | undefined;
  const isBad = kind === undefined || hasCode(unsubscribe.error, 'invalid-action-code');
  const isOver = isBad || unsubscribe.isSuccess;
  const title = useRef<HTMLHeadingElement>(null);
  const { isIdle } = unsubscribe;

  // The pressed button is gone.
  useLayoutEffect(() => {
    if (isOver && !isIdle) title.current?.focus();
  }, [isOver, isIdle]);

  return (
    <section className={`card ${classes.page}`}>
      <h1 ref={title} tabIndex={-1} className={classes.title}>
        {texts.unsubscribe.title}
      </h1>
      {kind && !isBad && <p>{texts.unsubscribe.kinds[kind]}</p>}
      {isBad && <FormAlert>{texts.unsubscribe.badLink}</FormAlert>}
      {unsubscribe.isSuccess && <FormAlert type="success">{texts.unsubscribe.done}</FormAlert>}
      {unsubscribe.error && !isBad && (
        <FormAlert>{errorText(unsubscribe.error, texts.unsubscribe.failed, texts)}</FormAlert>
      )}
      {isOver ? (
        <Link to="/profile" className={`text-link ${classes.link}`}>
          {texts.unsubscribe.profile}
        </Link>
      ) : (
        <BusyButton
          label={texts.unsubscribe.submit}
          busyLabel={texts.unsubscribe.busy}
          busy={unsubscribe.isPending}
          onClick={() => unsubscribe.mutate(token)}
        />
      )}
    </section>
  );
}
