/** Why a subscription ended. */
export type EndReason =
  | 'cancelled'
  | 'lapsed'
  | 'blocked'
  | 'revoked'
  | 'disputed'
  | 'other-price'
  | 'coach-stopped'
  | 'coach-suspended'
  | 'coach-deleted'
  | 'subscriber-deleted';
