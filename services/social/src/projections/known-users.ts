import { Injectable } from '@nestjs/common';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectionStore } from '@pulso/platform/postgres/projection-table';
import { UserProjection } from '@pulso/platform/postgres/user-projection';

/** Social's projection of users. */
@Injectable()
export class KnownUsers extends UserProjection {
  // Nest reads from it what to inject.
  constructor(store: ProjectionStore) {
    super(store);
  }

  /**
   * The id of a user whom an operator names by id or present username; also of a suspended or deleted one. Throws `not-found`.
   * Reads all users for a username: operators ask rarely, and no index has to be kept.
   */
  async idOf(user: string): Promise<string> {
    const [row] = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM known_users WHERE ${isId(user) ? 'id = $1::uuid' : 'username = lower($1)'} LIMIT 1`,
      [user.replace(/^@/, '')],
    );
    if (!row) throw userNotFound();
    return row.id;
  }
}
