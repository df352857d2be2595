import type { ConsistencyToken } from '../context/request-context.js';
import { growingCache } from '../collections/growing-cache.js';

const MAX_KNOWN_TOKENS = 20_000;

/** The newest version that this process is known to show, by topic and key. It never shows an older version later. */
export class KnownTokens {
  private readonly versions = growingCache<string, number>(MAX_KNOWN_TOKENS);

  has(token: ConsistencyToken): boolean {
    return (this.versions.get(nameOf(token)) ?? -1) >= token.version;
  }

  add(token: ConsistencyToken): void {
    if (!this.has(token)) this.versions.set(nameOf(token), token.version);
  }
}

const nameOf = ({ topic, key }: ConsistencyToken) => `${topic}/${key}`;
