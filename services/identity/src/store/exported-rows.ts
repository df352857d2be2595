import { Injectable } from '@nestjs/common';
import type { ExportedSection } from '@pulso/platform/export/export-page';
import type { UserExport } from '@pulso/platform/export/user-export';
import { columns, type ExportedTable, exportedTable } from '@pulso/platform/postgres/exported-table';
import { Statements } from '@pulso/platform/postgres/statements';

export const EXPORTED: readonly ExportedTable[] = [
  {
    name: 'account',
    table: 'users',
    where: 'id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: {
      ...columns(
        'id',
        'email',
        'pending_email',
        'email_verified',
        'name',
        'username',
        'bio',
        'specialties',
        'is_coach',
        'profile_image_id',
        'status',
        'language',
        'wants_subscription_mails',
        'wants_security_mails',
        'created_at',
        'updated_at',
      ),
      hasPassword: 'password_hash IS NOT NULL',
    },
  },
  {
    name: 'formerUsernames',
    table: 'usernames',
    where: 'user_id = $1 AND given_up_at IS NOT NULL',
    key: 'username',
    keyType: 'text',
    fields: columns('username', 'given_up_at'),
  },
  {
    name: 'sessions',
    table: 'sessions',
    where: 'user_id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: columns(
      'id',
      'user_agent',
      'address',
      'created_at',
      'last_used_at',
      'expires_at',
      'ended_at',
      'end_reason',
      'passkey_at',
    ),
  },
  {
    name: 'devices',
    table: 'sign_in_devices',
    where: 'user_id = $1',
    key: "encode(device, 'hex')",
    keyType: 'text',
    fields: columns('seen_at'),
  },
  {
    name: 'providerSignIns',
    table: 'openid_links',
    where: 'user_id = $1',
    key: "issuer || ' ' || subject",
    keyType: 'text',
    fields: columns('issuer', 'subject', 'email', 'email_verified', 'created_at'),
  },
  {
    name: 'passkeys',
    table: 'passkeys',
    where: 'user_id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: columns('id', 'name', 'transports', 'backed_up', 'email', 'created_at', 'last_used_at'),
  },
  {
    name: 'sentLinks',
    table: 'action_tokens',
    where: 'user_id = $1',
    key: 'kind',
    keyType: 'text',
    fields: columns('kind', 'email', 'expires_at'),
  },
  {
    name: 'passwordResets',
    table: 'password_resets',
    where: 'email = (SELECT email FROM users WHERE id = $1)',
    key: 'id',
    keyType: 'uuid',
    fields: columns('email', 'asked_at', 'handled_at'),
  },
  {
    name: 'accountMails',
    table: 'account_notices',
    where: 'user_id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: columns('kind', 'created_at', 'expires_at'),
  },
  {
    name: 'askedPrice',
    table: 'price_intents',
    where: 'user_id = $1',
    key: 'user_id',
    keyType: 'uuid',
    fields: columns('price_minor', 'currency'),
  },
];

/** What identity holds of a user, without secrets and their hashes (ACCT-35). */
@Injectable()
export class ExportedRows implements UserExport {
  readonly sections: readonly ExportedSection[];

  constructor(statements: Statements) {
    this.sections = EXPORTED.map((table) => exportedTable(statements, table));
  }
}
