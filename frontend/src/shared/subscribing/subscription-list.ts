import type { InfiniteData } from '@tanstack/react-query';
import { withItems } from '../../server/queries/paged-list.js';
import type { Subscription, SubscriptionPage } from '../../api/types.js';
import { tryStorage } from '../../browser/try-storage.js';

export type SubscriptionPages = InfiniteData<SubscriptionPage, string | undefined>;

/** The list after an unsubscribe: a paid subscription stays until its period ends (SUBS-11). */
export const withoutCoach = (list: SubscriptionPages, coachId: string): SubscriptionPages =>
  withItems(list, (items) => items.filter((one) => !(one.coach.id === coachId && isFree(one))));

const isFree = ({ currentPeriodEnd }: Subscription): boolean => currentPeriodEnd === null;

/** Changes when a tab of this browser has changed a subscription. */
export const CHANGED = 'pulso.subscriptions';

/** The other tabs of this browser read their lists again (SUBS-23). Without access to storage the stream of events tells them. */
export const tellOtherTabs = (): void => tryStorage(() => localStorage.setItem(CHANGED, String(Date.now())));
