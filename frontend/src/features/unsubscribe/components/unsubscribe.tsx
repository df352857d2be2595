import { errorText, hasCode } from '../../../server/http/api-error.js';
import { ActCard, WayOn } from '../../../components/act-card.js';
import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { useUnsubscribe } from '../api/unsubscribe.js';
import { useUnsubscribeTexts } from '../texts.js';

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

  return (
    <ActCard title={texts.unsubscribe.title} isOver={isOver && !unsubscribe.isIdle}>
      {kind && !isBad && <p>{texts.unsubscribe.kinds[kind]}</p>}
      {isBad && <FormAlert>{texts.unsubscribe.badLink}</FormAlert>}
      {unsubscribe.isSuccess && <FormAlert type="success">{texts.unsubscribe.done}</FormAlert>}
      {unsubscribe.error && !isBad && (
        <FormAlert>{errorText(unsubscribe.error, texts.unsubscribe.failed, texts)}</FormAlert>
      )}
      {isOver ? (
        <WayOn to="/settings">{texts.unsubscribe.settings}</WayOn>
      ) : (
        <BusyButton
          label={texts.unsubscribe.submit}
          busyLabel={texts.unsubscribe.busy}
          busy={unsubscribe.isPending}
          onClick={() => unsubscribe.mutate(token)}
        />
      )}
    </ActCard>
  );
}
