import type { SealedNotice } from '@pulso/contracts/identity/v1/events';
import type { NoticeKind } from '../../src/store/account-notice.entity.js';
import type { Identity } from '../start.js';

/** A mail about an account, as the mail worker reads it. */
export interface OpenedNotice extends SealedNotice {
  kind: NoticeKind;
  /** In milliseconds after it was written. */
  lasts: number;
}

const NOTHING: SealedNotice = { to: '', token: '', userAgent: '', at: 0 };

/** The mails of a user that identity has handed to messaging, oldest first. */
export async function noticesOf(
  identity: Identity,
  { user }: { user: { id: string } },
): Promise<OpenedNotice[]> {
  const rows = await identity.rows<{ kind: NoticeKind; sealed: string; created_at: Date; expires_at: Date }>(
    'SELECT kind, sealed, created_at, expires_at FROM account_notices WHERE user_id = $1 ORDER BY id',
    [user.id],
  );
  return Promise.all(
    rows.map(async ({ kind, sealed, created_at: created, expires_at: expires }) => {
      const bytes = await identity.service.keys.opener.open(sealed);
      const opened = JSON.parse(Buffer.from(bytes).toString()) as Partial<SealedNotice>;
      return { ...NOTHING, ...opened, kind, lasts: expires.getTime() - created.getTime() };
    }),
  );
}

/** The token of the latest mail of a kind; fails where there is none. */
export async function latestToken(
  identity: Identity,
  person: { user: { id: string } },
  kind: NoticeKind,
): Promise<string> {
  const latest = (await noticesOf(identity, person)).findLast((notice) => notice.kind === kind);
  if (!latest || latest.token === '') throw new Error(`there is no mail ${kind} with a link`);
  return latest.token;
}
