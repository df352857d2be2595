import type { ErasureState } from '@pulso/contracts/identity/v1/events';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import type { Projection } from '../events/projection.js';
import { MarkedUsers } from './marked-users.js';

/** How long after the first look the second one comes: longer than any request or handler lives. */
export const SECOND_LOOK_MS = 15 * 60_000;

/** An erasure that is due, claimed for some time. Whoever changes it must still have this claim. */
export interface DueErasure {
  userId: string;
  /** The version of identity's state that asks for it. */
  asked: number;
  /** How often the service has erased what it held since it was asked. */
  looks: number;
  /** Milliseconds since the epoch. Each claim ends later than those before it. */
  claimedUntil: number;
}

/**
 * A service's projection of erasures. Its row of a user is the mark that refuses late events, the work that is still to be done, and the
 * acknowledgement that is published. Rows are never removed, also by no rebuild.
 */
export abstract class ErasedUsers extends MarkedUsers implements Projection<ErasureState> {
  readonly topic = erasureTopic;

  /** Marks the user, unless that was done for this state or a newer one, and makes the erasure due. */
  abstract apply(state: ErasureState): Promise<boolean>;

  abstract versionOf(userId: string): Promise<number | undefined>;

  /** Takes an erasure that is due now; another process may take it when `leaseMs` are over. */
  abstract claim(leaseMs: number): Promise<DueErasure | undefined>;

  /** The same claim until `leaseMs` from now; undefined if it is lost: another process has taken it, or it was asked for again. */
  abstract renew(erasure: DueErasure, leaseMs: number): Promise<DueErasure | undefined>;

  /**
   * The service has erased what it held: the first time this is acknowledged, and a second look is due SECOND_LOOK_MS later; then nothing
   * is due any more. Does nothing if the claim is lost.
   */
  abstract erased(erasure: DueErasure): Promise<void>;

  /** The erasure is due again after `delayMs`, unless the claim is lost. */
  abstract postpone(erasure: DueErasure, delayMs: number): Promise<void>;
}
