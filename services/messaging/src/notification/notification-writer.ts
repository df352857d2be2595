import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../people/known-users.js';
import { OpenPages } from '../people/open-pages.js';
import { type Cause, checkCause, isHistory, madeAt, type Standing } from './notification.js';
import { NotificationRepository } from './notification.repository.js';

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
    while (!(await this.trySettle(cause, standing)));
    // Also after a repeated event: a kill may have come between the write and this.
    this.pages.tell([cause.receiverId]);
  }

  /** Returns false if another write came in between. */
  private async trySettle(cause: Cause, standing: Standing): Promise<boolean> {
    const { version, due } = standing;
    const row = await this.notifications.findByCause(cause);
    if (!row) return this.begin(cause, standing);
    if (row.version >= version) return true;
    // One that was read before it was taken back stays where it was, read: a like given again does not notify again.
    const isAgain = due && !row.live && !row.read;
    const createdAt = isAgain ? madeAt(standing, this.clock.now()) : row.createdAt;
    return this.notifications.change(row, { version, live: due, createdAt });
  }

  private async begin(cause: Cause, standing: Standing): Promise<boolean> {
    const { version, due } = standing;
    if (due && isHistory(standing)) return true;
    if (await this.isErased(cause.receiverId)) return true;
    const createdAt = madeAt(standing, this.clock.now());
    if (!(await this.notifications.insert(cause, { version, live: due, createdAt }))) return false;
    // The erasure either finds this row, or the user's state came before it, and is found here.
    if (await this.isErased(cause.receiverId)) await this.notifications.erase(cause.receiverId);
    return true;
  }

  private async isErased(userId: string): Promise<boolean> {
    return (await this.users.get([userId])).get(userId)?.status === 'deleted';
  }
}
