import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { Notification } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { Handle } from '../../../components/person-names.js';
import { RowSkeletons } from '../../../components/row-skeletons.js';
import { LoadError } from '../../../components/states.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { useTabVisible } from '../../../components/use-tab-visible.js';
import { closeNotifications, useNotifications } from '../api/get-notifications.js';
import { useMarkNotificationsRead } from '../api/mark-notifications-read.js';
import { destinationOf } from '../destination.js';
import { useNotificationTexts } from '../texts.js';
import classes from './notification-list.module.css';

/** What the bell opens (NOTIF-5). What is shown is marked as read (NOTIF-4). */
export function NotificationList({ onChosen }: { onChosen: () => void }) {
  const texts = useNotificationTexts();
  const queryClient = useQueryClient();
  const query = useNotifications();
  const { notifications } = query;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  useEffect(() => () => closeNotifications(queryClient), [queryClient]);

  const markRead = useMarkNotificationsRead();
  const mark = useEffectEvent((upTo: string) => markRead.mutate(upTo));
  const visible = useTabVisible();
  const hasNew = notifications?.some(({ read }) => !read) === true;
  const newest = hasNew ? notifications[0]?.id : undefined;
  useEffect(() => {
    if (newest !== undefined && visible) mark(newest);
  }, [newest, visible]);

  return (
    <div className={classes.panel}>
      <h2 ref={title} tabIndex={-1} className={classes.title}>
        {texts.notifications.title}
      </h2>
      {notifications && notifications.length > 0 ? (
        <>
          <ul className={classes.list} aria-label={texts.notifications.title}>
            {notifications.map((notification) => (
              <li key={notification.id}>
                <NotificationItem notification={notification} onChosen={onChosen} />
              </li>
            ))}
          </ul>
          <InfiniteSentinel list={query} />
        </>
      ) : notifications && !query.hasNextPage ? (
        <p className={classes.empty}>{texts.notifications.empty}</p>
      ) : query.isError ? (
        <LoadError
          error={query.error}
          fallback={texts.notifications.loadFailed}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <RowSkeletons count={4} className={classes.skeletons} />
      )}
    </div>
  );
}

interface NotificationItemProps {
  notification: Notification;
  onChosen: () => void;
}

function NotificationItem({ notification, onChosen }: NotificationItemProps) {
  const texts = useNotificationTexts();
  const { actor, type, read, createdAt } = notification;
  return (
    <Link to={destinationOf(notification)} className={classes.item} onClick={onChosen}>
      <Avatar user={actor} size={40} />
      <span className={classes.text}>
        <span className={classes.sentence}>
          <span className={classes.who}>
            <b dir="auto">{actor.name}</b> <Handle user={actor} />
          </span>{' '}
          {texts.notifications.did[type]}
        </span>
        <span className={classes.time}>
          <TimeAgo time={createdAt} />
        </span>
      </span>
      {!read && (
        <span className={classes.dot}>
          <span className="visually-hidden">{texts.notifications.isNew}</span>
        </span>
      )}
    </Link>
  );
}
