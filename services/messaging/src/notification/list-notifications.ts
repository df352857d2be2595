import { Injectable } from '@nestjs/common';
import type { ListNotificationsRequest, NotificationPage } from '@pulso/contracts/messaging/v1/messaging';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ListPage } from '@pulso/platform/paging/list-page';
import { KnownUsers } from '../projections/known-users.js';
import { NotificationReader } from './notification-reader.js';

/** `GET /api/notifications`, newest first (NOTIF-5). */
@Injectable()
export class ListNotifications {
  constructor(
    private readonly users: KnownUsers,
    private readonly reader: NotificationReader,
    private readonly sealer: CursorSealer,
  ) {}

  async execute(request: ListNotificationsRequest): Promise<NotificationPage> {
    const { userId } = requireCaller();
    const page = new ListPage(this.sealer, 'notifications', userId, request);
    await this.users.requireCaller(userId);
    const { items, next } = await this.reader.page(userId, page.after, page.size);
    return { items, nextCursor: page.cursorAfter(next) };
  }
}
