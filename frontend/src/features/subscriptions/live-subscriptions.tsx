import { useQueryClient } from '@tanstack/react-query';
import { changeProfile } from '../../server/queries/profile-cache.js';
import { queryKeys } from '../../server/queries/query-keys.js';
import { useLiveEvents } from '../../server/live/live-events.js';
import { changeKey } from '../../shared/subscribing/change-subscription.js';
import { readAgainAfterSubscription } from '../../shared/subscribing/read-again.js';
import { isSubscribed, withSubscription } from '../../shared/subscribing/subscription.js';

/** Shows changes of the viewer's subscriptions on other devices, and of their subscribers, as the events arrive (NOTIF-11, NOTIF-15). */
export function LiveSubscriptions() {
  const queryClient = useQueryClient();
  useLiveEvents((event) => {
    if (event.type === 'reload') {
      void queryClient.invalidateQueries({ queryKey: queryKeys.subscriptions });
      void queryClient.invalidateQueries({ queryKey: queryKeys.dashboard });
      return;
    }
    if (event.type === 'subscribers') {
      void queryClient.invalidateQueries({ queryKey: queryKeys.dashboard });
      void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.me });
      return;
    }
    if (event.type !== 'subscription') return;
    const { coach } = event.data;
    // Ignore the event while this page's own change is in flight: its answer refreshes.
    if (queryClient.isMutating({ mutationKey: changeKey(coach.id) }) > 0) return;
    const access = isSubscribed(event.data);
    changeProfile(queryClient, coach.id, (profile) =>
      withSubscription(profile, access, coach.viewer?.subscription ?? null),
    );
    void readAgainAfterSubscription(queryClient, coach.id, access);
  });
  return null;
}
