import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { currentContext } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { canonical, passwordForm } from '@pulso/platform/text/text-rules';
import { IdentitySettings } from '../settings.js';

/** OWASP's second recommendation for argon2id (the library's default algorithm): 19 MiB, two passes. */
const ARGON2_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How a password was judged. */
export interface Verdict {
  isRight: boolean;
  /** It is right by a hash of before, when passwords were hashed in NFC: it should be hashed anew. */
  isOfBefore: boolean;
}

const WRONG: Verdict = { isRight: false, isOfBefore: false };

/**
 * Hashes and verifies passwords, a few at once and a bounded number waiting. A burst of logins must neither exhaust
 * the memory nor block other users of the thread pool. Throws `unavailable` when the queue is full.
 */
@Injectable()
export class PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly dummy: Promise<string>;

  constructor(private readonly settings: IdentitySettings) {
    this.dummy = hash(randomBytes(32), ARGON2_PARAMETERS);
    // Prevents an unhandled rejection while no caller awaits it; a caller that awaits it gets the rejection.
    this.dummy.catch(() => undefined);
  }

  /** An argon2id hash in PHC form, the same for all ways to write the same letters (ACCT-8). */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(passwordForm(password), ARGON2_PARAMETERS));
  }

  /** Takes as long without a hash (`null`: an unknown e-mail address) as for a wrong password. */
  async verify(passwordHash: string | null, password: string): Promise<Verdict> {
    const expected = passwordHash ?? (await this.dummy);
    const [present, before] = [passwordForm(password), canonical(password)];
    for (const form of new Set([present, before])) {
      const matches = await this.inTurn(() => verify(expected, form));
      if (matches && passwordHash !== null) return { isRight: true, isOfBefore: form !== present };
    }
    return WRONG;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      if (currentContext()?.cancellation.over) throw unavailable();
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.settings.PASSWORD_HASH_CONCURRENCY) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.settings.PASSWORD_HASH_QUEUE) throw unavailable();
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private leave(): void {
    const next = this.waiting.shift();
    // The slot passes to the next one, so `running` stays the same.
    if (next) next();
    else this.running -= 1;
  }
}
