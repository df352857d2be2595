import { Injectable } from '@nestjs/common';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { Clock } from '@pulso/platform/time/clock';
import { invalidCredential } from '../user/user-errors.js';

/** What the answer of the provider must match. */
export interface OpenidChecks {
  state: string;
  nonce: string;
  /** Of PKCE: shows the provider that who brings the code has also asked for it. */
  verifier: string;
}

/** Says what is sealed, so that it is no cursor of a list. */
const PURPOSE = 'openid sign-in';
const LIFE_MS = 10 * 60_000;

/**
 * A sign-in that has begun at the provider. The browser keeps it in a cookie, so that nobody else can end it and any process can.
 * It is sealed against changes, not against its reader: who can read the cookie can also send it.
 */
@Injectable()
export class OpenidTransactions {
  constructor(
    private readonly sealer: CursorSealer,
    private readonly clock: Clock,
  ) {}

  seal({ state, nonce, verifier }: OpenidChecks): string {
    return this.sealer.seal(PURPOSE, null, [this.clock.now(), state, nonce, verifier]);
  }

  /** Throws `invalid-credential` for what we have not sealed, and for what has begun more than 10 minutes ago. */
  open(transaction: string): OpenidChecks {
    const [begun, state, nonce, verifier] = this.read(transaction);
    if (this.clock.now() - begun > LIFE_MS) throw invalidCredential();
    return { state, nonce, verifier };
  }

  private read(transaction: string) {
    try {
      return this.sealer.open(PURPOSE, null, transaction) as [number, string, string, string];
    } catch (error) {
      if (error instanceof DomainError) throw invalidCredential();
      throw error;
    }
  }
}
