import type { AccessTokenVerifier, VerifiedCaller } from '@pulso/platform/auth/access-token';
import type { Caller } from '@pulso/platform/context/request-context';
import { tokenExpired, unavailable } from '@pulso/platform/errors/domain-error';
import type { EndedSessions } from './ended-sessions.js';

/** Who an Authorization header speaks for: null without one. Synchronous for one seen before. */
export class Authenticator {
  constructor(
    private readonly verifier: AccessTokenVerifier,
    private readonly ended: EndedSessions,
  ) {}

  /**
   * Throws (or rejects with) `user-token-expired` for what is not valid now, and `unavailable` while it is not known
   * which sessions have ended (ACCT-21).
   */
  authenticate(authorization: string | undefined): Caller | null | Promise<Caller> {
    if (authorization === undefined) return null;
    const caller = this.verifier.verify(authorization);
    return caller instanceof Promise ? caller.then((verified) => this.live(verified)) : this.live(caller);
  }

  private live(caller: VerifiedCaller): Caller {
    if (!this.ended.isKnown) throw unavailable();
    if (this.ended.refuses(caller)) throw tokenExpired();
    return caller;
  }
}
