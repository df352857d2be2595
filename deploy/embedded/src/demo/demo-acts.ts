import { createAccessTokenSigner } from '@pulso/platform/auth/access-token';
import type { JWK } from 'jose';
import { CALL_BUDGET_MS, callAs } from '../call-as.js';
import type { RunningPulso } from '../compose-pulso.js';
import type { Username } from './people.js';
import type { SeedClock } from './seed-clock.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** A token is made for each call, at the time of that call. */
const TOKEN_TTL_SECONDS = 60;
/** More would only wait for each other, and a call may take no longer than its budget. */
const CALLS_AT_ONCE = 4;

export interface SeedOptions {
  pulso: Pick<RunningPulso, 'clientsWithin' | 'drainEvents' | 'services'>;
  /** The clock that `pulso` was composed with. */
  clock: SeedClock;
  signingKeys: JWK[];
}

export interface Account {
  userId: string;
  sessionId: string;
}

/** What the demo's people do: calls as one of them, at a time of the past. */
export class DemoActs {
  readonly clients;
  /** The time of the seed, in milliseconds. */
  readonly now: number;
  private readonly signer;
  private readonly accounts = new Map<Username, Account>();

  constructor(readonly options: SeedOptions) {
    const { pulso, clock, signingKeys } = options;
    this.clients = pulso.clientsWithin(CALL_BUDGET_MS);
    this.now = clock.now();
    this.signer = createAccessTokenSigner({ keys: signingKeys, ttlSeconds: TOKEN_TTL_SECONDS, clock });
  }

  isHere(username: Username, account: Account): void {
    this.accounts.set(username, account);
  }

  idOf(username: Username): string {
    return this.accounts.get(username)!.userId;
  }

  /** An access token of that moment. */
  async tokenOf(username: Username): Promise<string> {
    return (await this.signer.sign(this.accounts.get(username)!)).token;
  }

  as<T>(username: Username, time: number, call: () => Promise<T>): Promise<T> {
    return this.options.clock.at(time, async () => callAs(await this.tokenOf(username), call));
  }
}

/** Runs the tasks, a few at once, in their order. Rejects with the first failure, after which no other task begins. */
export async function inTurns<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const waiting = tasks.entries();
  const work = async () => {
    for (const [index, task] of waiting) results[index] = await task();
  };
  await Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, () =>
      work().catch((error: unknown) => {
        for (const _ of waiting);
        throw error;
      }),
    ),
  );
  return results;
}
