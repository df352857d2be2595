import { errorText, hasCode } from '../../../server/http/api-error.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { ActCard, WayOn } from '../../../components/act-card.js';
import { BusyButton } from '../../../components/busy-button.js';
import { FormAlert } from '../../../components/form-alert.js';
import { useVerifyEmail } from '../api/verify-email.js';
import { useLinkTexts } from '../texts.js';

/**
 * Verifies an address by the token of a mailed link (ACCT-27). It asks for a press: mail scanners open links, too. The settings,
 * which visitors reach by the login, send a new link.
 */
export function VerifyEmail({ token }: { token: string }) {
  const texts = useLinkTexts();
  const { verify } = texts;
  const viewer = useCurrentUser();
  const call = useVerifyEmail();
  const isBad = token === '' || hasCode(call.error, 'invalid-action-code');
  const isOver = isBad || call.isSuccess;

  return (
    <ActCard title={verify.title} isOver={isOver && !call.isIdle}>
      {isBad && (
        <>
          <FormAlert>{verify.badLink}</FormAlert>
          <WayOn to="/settings">{verify.newLink}</WayOn>
        </>
      )}
      {call.isSuccess && (
        <>
          <FormAlert type="success">{verify.done}</FormAlert>
          <WayOn to={viewer ? '/feed' : '/login'}>{verify.goOn}</WayOn>
        </>
      )}
      {!isOver && (
        <>
          <p>{verify.text}</p>
          {call.error && <FormAlert>{errorText(call.error, verify.failed, texts)}</FormAlert>}
          <BusyButton
            label={verify.submit}
            busyLabel={verify.busy}
            busy={call.isPending}
            onClick={() => call.mutate(token)}
          />
        </>
      )}
    </ActCard>
  );
}
