import { Injectable } from '@nestjs/common';
import type {
  MarkNotificationsReadRequest,
  MarkNotificationsReadResponse,
} from '@pulso/contracts/messaging/v1/messaging';
import { requireCaller } from '@pulso/platform/context/request-context';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { KnownUsers } from '../projections/known-users.js';
import { OpenPages } from '../projections/open-pages.js';
import { positionOf } from '../store/notification.js';
import { NotificationRepository } from '../store/notification.repository.js';
import type { NotificationDocument } from '../store/notification.schema.js';

/**
 * `POST /api/notifications/read`: marks the notification `upTo` and the older ones as read, or all of them; those that arrive
 * meanwhile stay unread (NOTIF-4). `upTo` may have been taken back since it was shown. Throws `not-found` for an unknown
 * notification and for somebody else's.
 */
@Injectable()
export class MarkNotificationsRead {
  constructor(
    private readonly users: KnownUsers,
    private readonly notifications: NotificationRepository,
    private readonly pages: OpenPages,
  ) {}

  async execute({ upTo }: MarkNotificationsReadRequest): Promise<MarkNotificationsReadResponse> {
    const { userId } = requireCaller();
    await this.users.requireCaller(userId);
    const last = upTo === undefined ? await this.newest(userId) : await this.own(userId, upTo);
    const marked = last ? await this.notifications.markRead(userId, positionOf(last)) : 0;
    if (marked > 0) this.pages.signal([userId]);
    return {};
  }

  private async newest(userId: string): Promise<NotificationDocument | undefined> {
    const [newest] = await this.notifications.list(userId, { after: undefined, limit: 1 });
    return newest;
  }

  private async own(userId: string, id: string): Promise<NotificationDocument> {
    const row = isId(id) ? await this.notifications.findOwn(userId, id) : null;
    if (!row) throw notFound('Notification not found');
    return row;
  }
}
