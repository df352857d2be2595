import { Injectable } from '@nestjs/common';
import type { Dashboard } from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { PriceRepository } from '../store/price.repository.js';
import { KnownUsers } from '../projections/known-users.js';
import { StandingRepository } from '../store/coach-figures.repository.js';
import { requireCoach } from './require-coach.js';
import { SubscriberRepository } from '../store/subscriber.repository.js';

/** The caller's figures as a coach (SUBS-26). Throws `permission-denied` for a member. */
@Injectable()
export class GetDashboard {
  constructor(
    private readonly users: KnownUsers,
    private readonly standings: StandingRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly prices: PriceRepository,
  ) {}

  async execute(): Promise<Dashboard> {
    const { userId } = requireCaller();
    requireCoach(await this.users.requireCaller(userId));
    const [[standing], { priceMinor, currency }, paidMonthly] = await Promise.all([
      this.standings.among(userId, [userId]),
      this.prices.of(userId),
      this.subscribers.paidMonthly(userId),
    ]);
    return {
      totalSubscribers: standing!.ever,
      activeSubscriptions: standing!.live,
      priceMinor: priceMinor ?? undefined,
      currency: priceMinor === null ? '' : currency,
      paidMonthly,
    };
  }
}
