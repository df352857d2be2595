import { Injectable } from '@nestjs/common';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { UsernameRepository } from '../store/username.repository.js';
import { isReservedUsername } from '../user/reserved-usernames.js';
import { generateUsername, usernameCandidates } from '../user/username.js';

/** How many candidates are looked up at once: more and more, since names that are much in use have high numbers. */
const BATCHES = [10, 100, 1000, 10_000];

/** The username of an account for which nobody has chosen one (PEOPLE-7). */
@Injectable()
export class FreeUsername {
  constructor(private readonly usernames: UsernameRepository) {}

  /** The first candidate that is neither reserved nor held; somebody else may take it before it is claimed. */
  async for(source: { name: string; email: string }, id: string): Promise<string> {
    const candidates = usernameCandidates(generateUsername(source, id));
    for (const size of BATCHES) {
      const batch: string[] = [];
      while (batch.length < size) {
        const { value } = candidates.next();
        if (!isReservedUsername(value)) batch.push(value);
      }
      const held = await this.usernames.heldOf(batch);
      const free = batch.find((username) => !held.has(username));
      if (free !== undefined) return free;
    }
    throw unavailable();
  }
}
