import { Injectable } from '@nestjs/common';
import type { UserRef } from '@pulso/contracts/common/v1/common';
import { DELETED_USER_NAME } from '@pulso/contracts/user-status';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { UserProjection, type UserRow } from '@pulso/platform/mongo/user-projection';
import { UserRows } from './user.schema.js';

/** Messaging's projection of users; it is read from the store each time. */
@Injectable()
export class KnownUsers extends UserProjection<UserRow> {
  constructor(rows: UserRows, rebuilds: Rebuilds) {
    super(rows, rebuilds);
  }

  async get(ids: Iterable<string>): Promise<ReadonlyMap<string, UserRow>> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    const rows = await this.rows.find({ _id: { $in: wanted } }, { limit: wanted.length });
    return new Map(rows.map((row) => [row._id, row]));
  }

  /** No row is cached. */
  protected rebuilt(): void {}
}

/** The user as others see them. Of a deleted one only the id is left (MSG-11, ACCT-36). */
export function userRefOf({ _id: id, status, name, username, profileImageId, isCoach }: UserRow): UserRef {
  if (status === 'deleted') {
    return { id, name: DELETED_USER_NAME, username: '', profileImageId: '', isCoach: false };
  }
  return { id, name, username, profileImageId, isCoach };
}
