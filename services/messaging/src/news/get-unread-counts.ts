import { Injectable } from '@nestjs/common';
import type { UnreadCounts as Counts } from '@pulso/contracts/messaging/v1/messaging';
import { requireCaller } from '@pulso/platform/context/request-context';
import { UnreadCounts } from './unread-counts.js';

/** `GET /api/badges` (NOTIF-7). */
@Injectable()
export class GetUnreadCounts {
  constructor(private readonly counts: UnreadCounts) {}

  async execute(): Promise<Counts> {
    return this.counts.of(requireCaller().userId);
  }
}
