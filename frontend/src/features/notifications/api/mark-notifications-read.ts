import { useMutation } from '@tanstack/react-query';
import { client, unwrap } from '../../../server/client/client.js';
import { showRead } from '../../../server/live/badges.js';

/** POST /api/notifications/read: marks everything up to the newest notification shown (NOTIF-4). The badge goes at once. */
export const useMarkNotificationsRead = () =>
  useMutation({
    // Sent also when the page is left at once.
    mutationFn: (upTo: string) =>
      unwrap(client.POST('/api/notifications/read', { body: { upTo }, keepalive: true })),
    onMutate: () => showRead({ notifications: 0 }),
    // After a failure the badge is back, and the next time that the list is opened tries again.
    onSettled: (_nothing, error, _upTo, answered) => answered?.(error === null),
  });
