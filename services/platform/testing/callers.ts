import type { AccessTokenSigner } from '../src/auth/access-token.js';
import { type ConsistencyToken, runInContext } from '../src/context/request-context.js';
import { newId } from '../src/ids/uuid-v7.js';
import type { Clock } from '../src/time/clock.js';
import { aContext } from './context.js';

/** How long a call, or a delivery, may take; below Jest's own limit. */
export const CALL_MS = 90_000;

export interface CallOptions {
  /** Gets the consistency tokens of the call's writes. */
  wrote: ConsistencyToken[];
  /** The writes that the call waits for. */
  after: readonly ConsistencyToken[];
  sessionId: string;
}

/** Makes rpcs as users. */
export class Callers {
  constructor(
    private readonly signer: AccessTokenSigner,
    private readonly clock: Clock,
  ) {}

  /** The `Authorization` header of a user's requests. */
  async authorizationOf(userId: string, sessionId = newId()): Promise<string> {
    return `Bearer ${(await this.signer.sign({ userId, sessionId })).token}`;
  }

  /** Runs a call in a request of the user; null: of a visitor. */
  async as<T>(
    userId: string | null,
    call: () => Promise<T>,
    { wrote = [], after = [], sessionId = newId() }: Partial<CallOptions> = {},
  ): Promise<T> {
    const authorization = userId === null ? undefined : await this.authorizationOf(userId, sessionId);
    const deadline = this.clock.now() + CALL_MS;
    return runInContext(aContext({ authorization, deadline, after, wrote }), call);
  }
}
