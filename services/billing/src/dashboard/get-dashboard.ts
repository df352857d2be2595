import { Injectable } from '@nestjs/common';
import type { Dashboard } from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { KnownUsers } from '../projections/known-users.js';
import { CoachFiguresRepository } from '../store/coach-figures.repository.js';
import { PriceRepository } from '../store/price.repository.js';
import { SubscriberRepository } from '../store/subscriber.repository.js';
import { requireCoach } from './require-coach.js';

/** The caller's figures as a coach (SUBS-26). Throws `permission-denied` for a member. */
@Injectable()
export class GetDashboard {
  constructor(
    private readonly users: KnownUsers,
    private readonly figures: CoachFiguresRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly prices: PriceRepository,
  ) {}

  async execute(): Promise<Dashboard> {
    const { userId } = requireCaller();
    requireCoach(await this.users.requireCaller(userId));
    const [found, { priceMinor, currency }, paidMonthly] = await Promise.all([
      this.figures.among(userId, [userId]),
      this.prices.of(userId),
      this.subscribers.paidMonthly(userId),
    ]);
    const figures = found.get(userId);
    return {
      totalSubscribers: figures!.ever,
      activeSubscriptions: figures!.live,
      priceMinor: priceMinor ?? undefined,
      currency: priceMinor === null ? '' : currency,
      paidMonthly,
    };
  }
}
