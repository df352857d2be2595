import { Injectable } from '@nestjs/common';
import { type UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { unavailable } from '@pulso/platform/errors/domain-error';
import type { Reaction } from '@pulso/platform/events/projection';
import { KnownUsers } from '../projections/known-users.js';
import { NotificationRepository } from '../store/notification.repository.js';

/** Removes the notifications of a deleted account. Lists leave out those that it caused. */
@Injectable()
export class EraseNotifications implements Reaction<UserState> {
  readonly name = 'erase-notifications';
  readonly topic = userTopic;

  constructor(
    private readonly notifications: NotificationRepository,
    private readonly users: KnownUsers,
  ) {}

  /** Throws `unavailable`, and is repeated, until the projection knows of the deletion: then no later event makes one. */
  async handle({ id, status }: UserState): Promise<void> {
    if (status !== UserStatus.USER_STATUS_DELETED) return;
    if (!(await this.users.isDeleted(id))) throw unavailable();
    await this.notifications.erase(id);
  }
}
