import { Injectable } from '@nestjs/common';
import type { ListSubscribersRequest, Subscriber, SubscriberPage } from '@pulso/contracts/billing/v1/billing';
import { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Commits } from '@pulso/platform/events/outbox/commits';
import { ListPage } from '@pulso/platform/paging/list-page';
import { KnownUsers } from '../projections/known-users.js';
import { SubscriberRepository, type SubscriberRow } from '../store/subscriber.repository.js';
import { statusMessage } from '../subscription/subscription-message.js';
import { requireCoach } from './require-coach.js';

/** For the latest of a page only, because each token is sent on with the calls that follow. */
const MAX_TOKENS = 20;

/**
 * Everyone who ever had access as the caller's subscriber, the latest first (SUBS-27). The answer carries the consistency
 * tokens of those who have just begun, so that identity knows them when it is asked for their addresses. Throws
 * `permission-denied`.
 */
@Injectable()
export class ListSubscribers {
  constructor(
    private readonly users: KnownUsers,
    private readonly subscribers: SubscriberRepository,
    private readonly sealer: CursorSealer,
    private readonly commits: Commits,
  ) {}

  async execute(request: ListSubscribersRequest): Promise<SubscriberPage> {
    const { userId } = requireCaller();
    requireCoach(await this.users.requireCaller(userId));
    const page = new ListPage(this.sealer, 'subscribers', userId, request);
    const { after, size } = page;
    const found = await this.subscribers.list(userId, { after, limit: size + 1 });
    const shown = found.slice(0, size);
    for (const row of shown.filter(hasAddress).slice(0, MAX_TOKENS)) {
      const state = { userId: row.userId, coachId: userId, version: Number(row.version) };
      this.commits.recordUnchanged(subscriptionTopic, SubscriptionState.fromPartial(state));
    }
    const last = found.length > size ? shown.at(-1) : undefined;
    return {
      items: shown.map(toSubscriber),
      nextCursor: page.cursorAfter(last && { createdAt: last.startDate.getTime(), id: last.subscriptionId }),
    };
  }
}

/** Nobody's e-mail address is asked for without access. */
const hasAddress = ({ givesAccess, isHidden }: SubscriberRow): boolean => givesAccess && !isHidden;

function toSubscriber(row: SubscriberRow): Subscriber {
  const { userId, planType, status, startDate, accessUntil, isDisputed: disputed } = row;
  const user = { id: userId, ...profileOf(row) };
  return {
    ...{ user, planType, status: statusMessage(status), subscribedAt: startDate.getTime() },
    givesAccess: hasAddress(row),
    accessUntil: row.givesAccess ? accessUntil?.getTime() : undefined,
    disputed,
  };
}

/** A deleted user has no name, nor has one who has blocked the coach; a suspended one has no picture (MEDIA-22). */
function profileOf({ userStatus, name, username, profileImageId, isCoach, isHidden }: SubscriberRow) {
  const isShown = !isHidden && (userStatus === 'active' || userStatus === 'suspended');
  return {
    name: (isShown && name) || '',
    username: (isShown && username) || '',
    profileImageId: (isShown && userStatus === 'active' && profileImageId) || '',
    isCoach: isShown && isCoach === true,
  };
}
