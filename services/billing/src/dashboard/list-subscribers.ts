import { Injectable } from '@nestjs/common';
import type { ListSubscribersRequest, Subscriber, SubscriberPage } from '@pulso/contracts/billing/v1/billing';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ListPage } from '@pulso/platform/paging/list-page';
import { KnownUsers } from '../projection/known-users.js';
import { statusMessage } from '../subscription/subscription-message.js';
import { requireCoach } from './require-coach.js';
import { SubscriberRepository, type SubscriberRow } from './subscriber.repository.js';

/** Everyone who ever had access as the caller's subscriber, the latest first (SUBS-27). Throws `permission-denied`. */
@Injectable()
export class ListSubscribers {
  constructor(
    private readonly users: KnownUsers,
    private readonly subscribers: SubscriberRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async execute(request: ListSubscribersRequest): Promise<SubscriberPage> {
    const { userId } = requireCaller();
    requireCoach(await this.users.requireCaller(userId));
    const page = new ListPage(this.sealer, 'subscribers', userId, request);
    const { after, size } = page;
    const found = await this.subscribers.list(userId, { after, limit: size + 1 });
    const shown = found.slice(0, size);
    const last = found.length > size ? shown.at(-1) : undefined;
    return {
      items: shown.map(toSubscriber),
      nextCursor: page.cursorAfter(last && { createdAt: last.startDate.getTime(), id: last.subscriptionId }),
    };
  }
}

function toSubscriber(row: SubscriberRow): Subscriber {
  const { userId, planType, status, startDate } = row;
  const user = { id: userId, ...profileOf(row) };
  // Nobody's e-mail address is asked for without access.
  const givesAccess = row.givesAccess && !row.isHidden;
  return { user, planType, status: statusMessage(status), subscribedAt: startDate.getTime(), givesAccess };
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
