import { Injectable } from '@nestjs/common';
import type { ListSubscriptionsRequest, SubscriptionPage } from '@pulso/contracts/billing/v1/billing';
import { PAGE_SIZE } from '@pulso/contracts/limits';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ListPage } from '@pulso/platform/paging/list-page';
import { Clock } from '@pulso/platform/time/clock';
import { checkCaller } from '@pulso/platform/users/user-checks';
import {
  placeOf,
  type PricedSubscription,
  SubscriptionListRepository,
} from '../store/subscription-list.repository.js';
import { toSubscriptionMessage } from './subscription-message.js';

/** `GET /api/subscriptions`: the caller's, the latest first (SUBS-23), and what is told of those that have ended (SUBS-35). */
@Injectable()
export class ListSubscriptions {
  constructor(
    private readonly subscriptions: SubscriptionListRepository,
    private readonly sealer: CursorSealer,
    private readonly clock: Clock,
  ) {}

  async execute({ all, ...request }: ListSubscriptionsRequest): Promise<SubscriptionPage> {
    const { userId } = requireCaller();
    const page = new ListPage(this.sealer, all ? 'all-subscriptions' : 'subscriptions', userId, request);
    const { after, size } = page;
    const { caller, items, ended } = await this.subscriptions.list(userId, all, { after, limit: size + 1 });
    checkCaller(caller);
    const shown = items.slice(0, size);
    const now = this.clock.now();
    const toMessage = (found: PricedSubscription) =>
      toSubscriptionMessage(found.subscription, found.price, now, found.told);
    return {
      items: shown.map(toMessage),
      // Together no more than a page may hold.
      ended: ended.slice(0, PAGE_SIZE.max - shown.length).map(toMessage),
      nextCursor: page.cursorAfter(items.length > size ? placeOf(shown.at(-1)!.subscription) : undefined),
    };
  }
}
