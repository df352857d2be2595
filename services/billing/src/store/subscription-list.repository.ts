import { Injectable } from '@nestjs/common';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { Subscription } from './subscription.entity.js';
import { givesAccessAt } from './subscription.js';

/** The position in its owner's list: when the subscription began, or was made if it never has. */
export const placeOf = ({ startDate, createdAt, id }: Subscription) => ({
  createdAt: startDate ?? createdAt,
  id,
});

/** A member's subscriptions, the latest first. */
@Injectable()
export class SubscriptionListRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  find(userId: string, coachId: string): Promise<Subscription | null> {
    return this.dataSource.getRepository(Subscription).findOneBy({ userId, coachId });
  }

  /** Those that give access now, or all. */
  list(userId: string, all: boolean, slice: Slice): Promise<Subscription[]> {
    const [time, id] = afterParameters(slice);
    const listedAt = 'coalesce(s.start_date, s.created_at)';
    const query = this.dataSource
      .getRepository(Subscription)
      .createQueryBuilder('s')
      .where('s.user_id = :userId', { userId });
    if (!all) query.andWhere(givesAccessAt('s', ':now'), { now: new Date(this.clock.now()) });
    return query
      .andWhere(`(${listedAt}, s.id) < (:time::timestamptz, :id::uuid)`, { time, id })
      .addSelect(listedAt, 'listed_at')
      .orderBy('listed_at', 'DESC')
      .addOrderBy('s.id', 'DESC')
      .limit(slice.limit)
      .getMany();
  }
}
