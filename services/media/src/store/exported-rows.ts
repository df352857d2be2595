import { Injectable } from '@nestjs/common';
import type { ExportedSection } from '@pulso/platform/export/export-page';
import type { UserExport } from '@pulso/platform/export/user-export';
import { columns, type ExportedTable, exportedTable } from '@pulso/platform/postgres/exported-table';
import { Statements } from '@pulso/platform/postgres/statements';

export const EXPORTED: readonly ExportedTable[] = [
  {
    name: 'files',
    table: 'assets',
    where: "owner_id = $1 AND state <> 'removing'",
    key: 'id',
    keyType: 'uuid',
    fields: columns(
      'id',
      'kind',
      'purpose',
      'state',
      'bytes',
      'width',
      'height',
      'original_name',
      'original_size',
      'attached_to',
      'created_at',
    ),
  },
  {
    name: 'videos',
    table: 'videos',
    where: 'owner_id = $1 AND NOT deleted',
    key: 'id',
    keyType: 'uuid',
    fields: columns(
      'id',
      'status',
      'problem',
      'name',
      'type',
      'bytes',
      'duration_ms',
      'width',
      'height',
      'created_at',
    ),
  },
  {
    name: 'uploads',
    table: 'uploads',
    where: 'id IN (SELECT id FROM assets WHERE owner_id = $1)',
    key: 'id',
    keyType: 'uuid',
    fields: columns('id', 'name', 'type', 'length', 'received'),
  },
  {
    name: 'archives',
    table: 'archives',
    where: "owner_id = $1 AND state IN ('building', 'ready', 'failed')",
    key: 'id',
    keyType: 'uuid',
    fields: columns('id', 'state', 'total_bytes', 'requested_at', 'ready_at'),
  },
];

/** What media holds of a user (ACCT-35): what is known of each file, not its bytes. */
@Injectable()
export class ExportedRows implements UserExport {
  readonly sections: readonly ExportedSection[];

  constructor(statements: Statements) {
    this.sections = EXPORTED.map((table) => exportedTable(statements, table));
  }
}
