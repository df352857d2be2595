import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../projections/known-users.js';
import { OpenPages } from '../projections/open-pages.js';
import {
  type Cause,
  type CauseState,
  checkCause,
  isHistory,
  madeAt,
  NEVER,
  timeOf,
} from '../store/notification.js';
import { NotificationRepository } from '../store/notification.repository.js';

/** Whether open pages get a signal; overtaken: another write came in between. */
type Outcome = 'signal' | 'silent' | 'overtaken';

/** Makes notifications and takes them back, by events, which come more than once and in any order (NOTIF-6). */
@Injectable()
export class NotificationWriter {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly users: KnownUsers,
    private readonly pages: OpenPages,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the notification of a cause, or takes it back, as its state says; does nothing after a newer state. Nobody is
   * notified of what they do themselves (NOTIF-1). Throws for a malformed id.
   */
  async apply(cause: Cause, state: CauseState): Promise<void> {
    checkCause(cause);
    if (cause.actorId === cause.receiverId) return;
    // Most causes are new: those are not looked for first.
    let outcome: Outcome = isNew(state) ? await this.begin(cause, state) : 'overtaken';
    while (outcome === 'overtaken') outcome = await this.tryApply(cause, state);
    if (outcome === 'signal') this.pages.signal([cause.receiverId]);
  }

  private async tryApply(cause: Cause, state: CauseState): Promise<Outcome> {
    const { version, due } = state;
    const row = await this.notifications.findByCause(cause);
    if (!row) return this.begin(cause, state);
    // A repeated event signals again: a kill may have come between the write and the signal.
    if (row.version >= version) return row.version === version ? 'signal' : 'silent';
    const createdAt = timeOf(row, state, this.clock.now());
    if (!(await this.notifications.change(row, { version, live: due, createdAt }))) return 'overtaken';
    const isNews = due ? createdAt !== row.createdAt : row.live;
    return isNews ? 'signal' : 'silent';
  }

  private async begin(cause: Cause, state: CauseState): Promise<Outcome> {
    const { version, due } = state;
    if (due && isHistory(state)) return 'silent';
    const createdAt = due ? madeAt(state, this.clock.now()) : NEVER;
    if (!(await this.notifications.insert(cause, { version, live: due, createdAt }))) return 'overtaken';
    // The erasure either finds this row, or the user's state came before it, and is found here.
    if (await this.users.isDeleted(cause.receiverId)) {
      await this.notifications.erase(cause.receiverId);
      return 'silent';
    }
    return due ? 'signal' : 'silent';
  }
}

/** Whether a cause of this state would make a notification where there is none yet. */
const isNew = (state: CauseState): boolean => state.due && !isHistory(state);
