import { Injectable } from '@nestjs/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { type UserStatusName, userStatusOf } from '@pulso/contracts/user-status';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { checkCaller } from '@pulso/platform/users/user-checks';
import { Attachments } from '../store/attachments.js';

/** The profile image of each user (MEDIA-6), and their status. */
@Injectable()
export class KnownUsers extends ProjectionTable<UserState> {
  constructor(
    store: ProjectionStore,
    private readonly attachments: Attachments,
  ) {
    super(store, {
      topic: userTopic,
      table: 'known_users',
      key: ['id'],
      columns: (state) => ({ status: userStatusOf(state), profile_image_id: state.profileImageId }),
    });
  }

  /** Throws `user-disabled` for a suspended or deleted user. One whose state has not arrived yet is new. */
  async requireActive(id: string): Promise<void> {
    const [user] = await this.dataSource.query<{ status: UserStatusName }[]>(
      'SELECT status FROM known_users WHERE id = $1',
      [id],
    );
    if (user) checkCaller(user);
  }

  /** Whether the copy says that the account is deleted: from then on the user uploads and claims nothing. */
  async isDeleted(id: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      "SELECT FROM known_users WHERE id = $1 AND status = 'deleted'",
      [id],
    );
    return rows.length > 0;
  }

  protected override async afterRowWritten(
    [userId]: readonly string[],
    state: UserState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (!state) return this.attachments.end(userId!, 'avatar', transaction);
    if (userStatusOf(state) === 'deleted') return this.attachments.freeAllOf(userId!, transaction);
    const listed = [state.profileImageId];
    await this.attachments.apply(
      { targetId: userId!, ownerId: userId!, purpose: 'avatar', listed, epoch: 0 },
      transaction,
    );
  }
}
