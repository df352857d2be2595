import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useRef } from 'react';
import type { DeviceSession } from '../../../api/types.js';
import { Badge } from '../../../components/badge.js';
import { BusyButton } from '../../../components/busy-button.js';
import { confirm, toast } from '../../../components/feedback/feedback-store.js';
import { longDate } from '../../../components/relative-time.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { useFocusHandover } from '../../../components/use-focus-handover.js';
import { errorText } from '../../../server/http/api-error.js';
import { useEndSession } from '../api/end-sessions.js';
import { deviceName, isPhone } from '../device-name.js';
import { useAccountTexts } from '../texts.js';
import classes from './account.module.css';

/** A device that is signed in: what it is, from where, since when; and its end, which asks first, as it cannot be undone (UI-35). */
export function DeviceItem({ device }: { device: DeviceSession }) {
  const texts = useAccountTexts();
  const { sessions } = texts.settings;
  const { id, userAgent, address, createdAt, lastUsedAt, current } = device;
  const name = deviceName(userAgent, texts.settings);
  const entry = useFocusHandover<HTMLLIElement>('main');
  const button = useRef<HTMLButtonElement>(null);
  const end = useEndSession(id, {
    onEnded: () => toast({ type: 'success', message: sessions.ended(name) }),
    onFailed: (error) => toast({ type: 'error', message: errorText(error, sessions.endFailed, texts) }),
  });
  const ask = async () => {
    const confirmed = await confirm({
      title: sessions.askTitle,
      message: sessions.ask(name),
      confirmLabel: sessions.end,
      danger: true,
      returnFocusTo: () => button.current,
    });
    if (confirmed) end.mutate();
  };
  const Icon = isPhone(userAgent) ? IconDeviceMobile : IconDeviceDesktop;

  return (
    <li ref={entry} tabIndex={-1} className={classes.device}>
      <Icon size={24} aria-hidden />
      <div>
        <p className={classes.row}>
          <span className={classes.value}>{name}</span>
          {current && <Badge>{sessions.current}</Badge>}
        </p>
        {address && <p className={classes.muted}>{sessions.address(address)}</p>}
        <p className={classes.muted}>
          {sessions.signedIn(longDate(createdAt, texts.locale))}
          {' · '}
          {current ? (
            sessions.activeNow
          ) : (
            <>
              {sessions.lastUsed} <TimeAgo time={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      {!current && (
        <BusyButton
          ref={button}
          variant="default"
          label={sessions.end}
          busyLabel={sessions.ending}
          busy={end.isPending}
          aria-label={end.isPending ? undefined : sessions.endOf(name)}
          onClick={() => void ask()}
        />
      )}
    </li>
  );
}
