import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { FocusEvent } from 'react';
import { useLocation } from 'react-router-dom';
import { useBadges } from '../../server/live/badges.js';
import { BackCloses } from '../../components/back-closes.js';
import { LazyDialog } from '../../components/lazy-dialog.js';
import { lazyWithQueries } from '../../components/lazy-with-queries.js';
import { typedKey } from '../../components/shortcuts/typed-key.js';
import { UnreadBadge } from '../../components/unread-badge.js';
import { useTexts } from '../../i18n/texts.js';
import classes from './shell.module.css';

const loadList = () => import('../../features/notifications/components/notification-list.js');

const NotificationList = lazyWithQueries(async () => (await loadList()).NotificationList);

/** The bell with the number of unread notifications, and the list that it opens (NOTIF-5, NOTIF-7) and closes (UI-63). */
export function Bell({ onOpen }: { onOpen: () => void }) {
  const { nav } = useTexts();
  const { notifications } = useBadges();
  const { key } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  // A navigation closes it.
  const open = openAt === key;
  const holder = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpenAt(undefined);
  const closeAndReturn = () => {
    close();
    button.current?.focus({ preventScroll: true });
  };

  useEffect(() => {
    if (!open) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (typedKey(event) !== 'Escape') return;
      setOpenAt(undefined);
      button.current?.focus({ preventScroll: true });
    };
    const onPress = ({ target }: Event) => {
      if (!holder.current?.contains(target as Node)) setOpenAt(undefined);
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', onPress, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('pointerdown', onPress, true);
    };
  }, [open]);
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !holder.current?.contains(relatedTarget)) close();
  };
  // A failure is told when the button is pressed, which loads the code again.
  const prepare = () => void loadList().catch(() => undefined);
  const toggle = () => {
    if (open) return close();
    onOpen();
    setOpenAt(key);
  };

  return (
    <div ref={holder} className={classes.bell} onBlur={onBlur}>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size={44}
        aria-label={
          notifications > 0 ? `${nav.notifications}, ${nav.unreadNamed(notifications)}` : nav.notifications
        }
        title={nav.notifications}
        aria-expanded={open}
        aria-haspopup="dialog"
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={toggle}
      >
        <IconBell size={22} aria-hidden />
      </ActionIcon>
      <UnreadBadge count={notifications} className={classes.bellBadge} />
      {open && (
        <div role="dialog" aria-label={nav.notifications} className={classes.bellPanel}>
          <BackCloses onBack={closeAndReturn} />
          <LazyDialog onClose={close}>
            <NotificationList onChosen={close} />
          </LazyDialog>
        </div>
      )}
    </div>
  );
}
