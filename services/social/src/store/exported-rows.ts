import { Injectable } from '@nestjs/common';
import type { ExportedSection } from '@pulso/platform/export/export-page';
import type { UserExport } from '@pulso/platform/export/user-export';
import { columns, type ExportedTable, exportedTable } from '@pulso/platform/postgres/exported-table';
import { Statements } from '@pulso/platform/postgres/statements';
import { isShown } from './hidden-users.js';

export const EXPORTED: readonly ExportedTable[] = [
  {
    name: 'following',
    table: 'follows',
    where: 'follower_id = $1 AND deleted_at IS NULL',
    key: 'target_id',
    keyType: 'uuid',
    fields: { ...columns('created_at'), userId: 'target_id' },
  },
  {
    name: 'followers',
    table: 'follows',
    where: 'target_id = $1 AND deleted_at IS NULL',
    key: 'follower_id',
    keyType: 'uuid',
    fields: { ...columns('created_at'), userId: 'follower_id' },
  },
  {
    name: 'blocked',
    table: 'blocks',
    where: 'blocker_id = $1 AND deleted_at IS NULL',
    key: 'blocked_id',
    keyType: 'uuid',
    fields: { ...columns('created_at'), userId: 'blocked_id' },
  },
  {
    name: 'reviews',
    table: 'reviews',
    where: 'reviewer_id = $1 AND deleted_at IS NULL',
    key: 'id',
    keyType: 'uuid',
    fields: columns('id', 'coach_id', 'rating', 'comment', 'created_at', 'updated_at'),
  },
  {
    name: 'reviewsReceived',
    table: 'reviews',
    // As the list shows them: whoever compares the two must not learn who has blocked them.
    where: `coach_id = $1 AND deleted_at IS NULL AND ${isShown('reviewer_id', '$1')}`,
    key: 'id',
    keyType: 'uuid',
    fields: columns('id', 'reviewer_id', 'rating', 'comment', 'created_at', 'updated_at'),
  },
  {
    name: 'reports',
    table: 'reports',
    where: 'reporter_id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: columns('id', 'subject_type', 'subject_id', 'reason', 'note', 'created_at', 'resolved_at'),
  },
  {
    name: 'suspensions',
    table: 'user_suspensions',
    where: 'user_id = $1',
    key: 'user_id',
    keyType: 'uuid',
    fields: columns('active', 'reason', 'decided_at'),
  },
];

/** What social holds of a user (ACCT-35). Who has blocked or reported the user is left out: that protects others. */
@Injectable()
export class ExportedRows implements UserExport {
  readonly sections: readonly ExportedSection[];

  constructor(statements: Statements) {
    this.sections = EXPORTED.map((table) => exportedTable(statements, table));
  }
}
