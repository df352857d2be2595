import { useEffect } from 'react';
import { clearBadges, useBadges } from '../../client/live/badges.js';
import { useUnreadInTitle } from '../../components/title.js';
import { useTexts } from '../../i18n/texts.js';

/** After a failure to load the code, in ms. */
const AGAIN = 30_000;

/** Keeps this tab up to date while `viewerId` is signed in (NOTIF-7, NOTIF-8), and shows what is unread in its title. */
export function useLive(viewerId: string | undefined): void {
  const { nav } = useTexts();
  useEffect(() => {
    if (viewerId === undefined) return;
    let over = false;
    let stop: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = async () => {
      try {
        const { startLive } = await import('../../client/live/live.js');
        if (!over) stop = startLive(viewerId);
      } catch {
        // Nothing else depends on it.
        if (!over) timer = setTimeout(() => void start(), AGAIN);
      }
    };
    void start();
    return () => {
      over = true;
      clearTimeout(timer);
      stop?.();
      clearBadges();
    };
  }, [viewerId]);

  const { notifications, messages } = useBadges();
  const unread = notifications + messages;
  useUnreadInTitle(unread > 0 ? nav.unread(unread) : undefined);
}
