import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { z } from 'zod';
import { AnsweredChallenges } from '../store/answered-challenges.js';

/** How long a challenge can be answered, in milliseconds. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;
/** The clocks of replicas differ: what one of them takes for over, another one may still take. */
const CLOCK_TOLERANCE_MS = 60_000;

/** What a challenge is for. The answer to one is none to another, nor to one of another user. */
export interface Asked {
  purpose: 'passkey log-in' | 'new passkey' | 'passkey confirmation';
  /** Null where nobody is signed in. */
  userId: string | null;
}

/** One that was answered and is ours. */
export interface Challenge {
  /** As authenticators sign it: base64url of the sealed text. */
  signed: string;
  sealed: string;
  begun: number;
}

/** What browsers sign beside the challenge. A page of another site must not ask for it through a frame. */
const clientData = z.object({ challenge: z.string().max(1024), crossOrigin: z.literal(false).optional() });

/**
 * The challenges that authenticators sign (ACCT-43): 128 random bits, sealed together with their time, purpose and user, so that giving
 * one out stores nothing and each process knows those of all. An answer to one is stored, so that it counts once.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly sealer: CursorSealer,
    private readonly answered: AnsweredChallenges,
    private readonly clock: Clock,
  ) {}

  begin({ purpose, userId }: Asked): string {
    return this.sealer.seal(purpose, userId, [this.clock.now(), randomBytes(16).toString('base64url')]);
  }

  /** The challenge in what a browser has signed; undefined where it is not ours, is for something else, or is over. */
  open({ purpose, userId }: Asked, clientDataJson: string): Challenge | undefined {
    const signed = challengeIn(clientDataJson);
    if (signed === undefined) return undefined;
    const sealed = Buffer.from(signed, 'base64url').toString();
    const begun = this.begunAt({ purpose, userId }, sealed);
    if (begun === undefined || this.clock.now() - begun >= CHALLENGE_LIFE_MS) return undefined;
    return { signed, sealed, begun };
  }

  /** Returns false where it was answered already. */
  spend({ sealed, begun }: Challenge, transaction: Transaction): Promise<boolean> {
    return this.answered.spend(sealed, begun + CHALLENGE_LIFE_MS + CLOCK_TOLERANCE_MS, transaction);
  }

  private begunAt({ purpose, userId }: Asked, sealed: string): number | undefined {
    try {
      const [begun] = this.sealer.open(purpose, userId, sealed) as [number, string];
      return begun;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}

function challengeIn(clientDataJson: string): string | undefined {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString());
  } catch {
    return undefined;
  }
  return clientData.safeParse(read).data?.challenge;
}
