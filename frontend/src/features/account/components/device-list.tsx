import { BusyButton } from '../../../components/busy-button.js';
import { confirm, toast } from '../../../components/feedback/feedback-store.js';
import { RowSkeletons } from '../../../components/row-skeletons.js';
import { LoadError } from '../../../components/states.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { errorText } from '../../../server/http/api-error.js';
import { useEndOtherSessions } from '../api/end-sessions.js';
import { useSessions } from '../api/get-sessions.js';
import { useAccountTexts } from '../texts.js';
import classes from './account.module.css';
import { DeviceItem } from './device-item.js';

/** The devices that are signed in, each with a way to end its session, and one to end all others (ACCT-22). */
export function DeviceList() {
  const { sessions } = useAccountTexts().settings;
  const { data: devices, error, refetch } = useSessions();
  if (!devices) {
    return error ? (
      <LoadError error={error} fallback={sessions.failed} onRetry={() => void refetch()} />
    ) : (
      <RowSkeletons count={2} className={classes.devices} />
    );
  }
  return (
    <>
      <ul aria-label={sessions.title} tabIndex={-1}>
        {devices.map((device) => (
          <DeviceItem key={device.id} device={device} />
        ))}
      </ul>
      {devices.length > 1 && <EndOthers />}
    </>
  );
}

function EndOthers() {
  const texts = useAccountTexts();
  const { sessions } = texts.settings;
  // It goes when it has done its work: the list gets the focus.
  const button = useFocusHandover<HTMLButtonElement>('main');
  const end = useEndOtherSessions({
    onEnded: () => toast({ type: 'success', message: sessions.othersEnded }),
    onFailed: (error) => toast({ type: 'error', message: errorText(error, sessions.endOthersFailed, texts) }),
  });
  const ask = async () => {
    const confirmed = await confirm({
      title: sessions.askOthersTitle,
      message: sessions.askOthers,
      confirmLabel: sessions.end,
      danger: true,
      returnFocusTo: () => button.current,
    });
    if (confirmed) end.mutate();
  };
  return (
    <BusyButton
      ref={button}
      className={classes.end}
      variant="default"
      label={sessions.endOthers}
      busyLabel={sessions.ending}
      busy={end.isPending}
      onClick={() => void ask()}
    />
  );
}
