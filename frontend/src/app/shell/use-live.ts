import { useEffect } from 'react';
import { clearBadges, useBadges } from '../../server/live/badges.js';
import { startLive } from '../../server/live/live.js';
import { useUnreadInTitle } from '../../components/title.js';
import { useTexts } from '../../i18n/texts.js';

/** Keeps this tab up to date while `viewerId` is signed in (NOTIF-7, NOTIF-8), and shows what is unread in its title. */
export function useLive(viewerId: string): void {
  const { nav } = useTexts();
  useEffect(() => {
    const stop = startLive(viewerId);
    return () => {
      stop();
      clearBadges();
    };
  }, [viewerId]);

  const { notifications, messages } = useBadges();
  const unread = notifications + messages;
  useUnreadInTitle(unread > 0 ? nav.unread(unread) : undefined);
}
