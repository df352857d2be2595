import { Injectable } from '@nestjs/common';
import type { ListSubscriptionsRequest, SubscriptionPage } from '@pulso/contracts/billing/v1/billing';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ListPage } from '@pulso/platform/paging/list-page';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../projections/known-users.js';
import { NO_PRICE } from '../store/coach-price.entity.js';
import { PriceRepository } from '../store/price.repository.js';
import { placeOf, SubscriptionListRepository } from '../store/subscription-list.repository.js';
import { toSubscriptionMessage } from './subscription-message.js';

/** `GET /api/subscriptions`: the caller's, the latest first (SUBS-23). */
@Injectable()
export class ListSubscriptions {
  constructor(
    private readonly users: KnownUsers,
    private readonly subscriptions: SubscriptionListRepository,
    private readonly prices: PriceRepository,
    private readonly sealer: CursorSealer,
    private readonly clock: Clock,
  ) {}

  async execute({ all, ...request }: ListSubscriptionsRequest): Promise<SubscriptionPage> {
    const { userId } = requireCaller();
    const page = new ListPage(this.sealer, all ? 'all-subscriptions' : 'subscriptions', userId, request);
    await this.users.requireCaller(userId);
    const { after, size } = page;
    const found = await this.subscriptions.list(userId, all, { after, limit: size + 1 });
    const shown = found.slice(0, size);
    const prices = await this.prices.among(shown.map(({ coachId }) => coachId));
    const now = this.clock.now();
    return {
      items: shown.map((row) => toSubscriptionMessage(row, prices.get(row.coachId) ?? NO_PRICE, now)),
      nextCursor: page.cursorAfter(found.length > size ? placeOf(shown.at(-1)!) : undefined),
    };
  }
}
