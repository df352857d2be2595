/** Why a subscription ended. */
export type EndReason =
  | 'cancelled'
  | 'lapsed'
  | 'blocked'
  | 'revoked'
  | 'disputed'
  | 'coach-stopped'
  | 'coach-suspended'
  | 'coach-deleted'
  | 'subscriber-deleted';
