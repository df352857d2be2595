import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../projections/known-users.js';
import { OpenPages } from '../projections/open-pages.js';
import { type Cause, checkCause, isHistory, madeAt, NEVER, timeOf, type Standing } from '../store/notification.js';
import { NotificationRepository } from '../store/notification.repository.js';

/** Whether open pages are to be told of it; overtaken: another write came in between. */
type Outcome = 'told' | 'silent' | 'overtaken';

/** Makes notifications and takes them back, as events tell, which come more than once and in any order (NOTIF-6). */
@Injectable()
export class NotificationWriter {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly users: KnownUsers,
    private readonly pages: OpenPages,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings the one notification of a cause to what its state says, unless it follows from a newer state. Nobody is told of
   * what they do themselves (NOTIF-1). Throws for a malformed id.
   */
  async settle(cause: Cause, standing: Standing): Promise<void> {
    checkCause(cause);
    if (cause.actorId === cause.receiverId) return;
    let outcome: Outcome;
    do outcome = await this.trySettle(cause, standing);
    while (outcome === 'overtaken');
    if (outcome === 'told') this.pages.tell([cause.receiverId]);
  }

  private async trySettle(cause: Cause, standing: Standing): Promise<Outcome> {
    const { version, due } = standing;
    const row = await this.notifications.findByCause(cause);
    if (!row) return this.begin(cause, standing);
    // A repeated event tells again: a kill may have come between the write and the signal.
    if (row.version >= version) return row.version === version ? 'told' : 'silent';
    const createdAt = timeOf(row, standing, this.clock.now());
    if (!(await this.notifications.change(row, { version, live: due, createdAt }))) return 'overtaken';
    const isNews = due ? createdAt !== row.createdAt : row.live;
    return isNews ? 'told' : 'silent';
  }

  private async begin(cause: Cause, standing: Standing): Promise<Outcome> {
    const { version, due } = standing;
    if (due && isHistory(standing)) return 'silent';
    if (await this.isErased(cause.receiverId)) return 'silent';
    const createdAt = due ? madeAt(standing, this.clock.now()) : NEVER;
    if (!(await this.notifications.insert(cause, { version, live: due, createdAt }))) return 'overtaken';
    // The erasure either finds this row, or the user's state came before it, and is found here.
    if (await this.isErased(cause.receiverId)) await this.notifications.erase(cause.receiverId);
    return due ? 'told' : 'silent';
  }

  private async isErased(userId: string): Promise<boolean> {
    return (await this.users.get([userId])).get(userId)?.status === 'deleted';
  }
}
