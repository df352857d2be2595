import { createCursorSealer, type CursorSealer, type JsonValue } from '@pulso/platform/auth/sealed-cursor';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Clock } from '@pulso/platform/time/clock';

export const PULSO_AFTER = 'pulso-after';
/** On an answer that lacks some of the writes that `Pulso-After` names (HTTP-3). */
export const PULSO_STALE = 'pulso-stale';

/** A consistency token and the time of its write, in milliseconds since the epoch. */
export interface RecentWrite extends ConsistencyToken {
  at: number;
}

/** Projections catch up within this time, so older tokens need no wait. */
const MAX_AGE_MS = 60_000;
/** Keeps the header below 4 KB; beyond it the oldest go. */
const MAX_WRITES = 24;
const MAX_HEADER_LENGTH = 8192;
/** One of an answer and one of an event (HTTP-33). */
const MAX_VALUES = 2;

/** What the sealer binds the header to besides the viewer: a cursor is no Pulso-After. */
const KIND = 'pulso-after';

/**
 * Reads and writes the `Pulso-After` header (HTTP-2): the viewer's own writes of the last minute, authenticated and
 * bound to them, and what their events have told (HTTP-33). A foreign, forged or stale one is ignored: it only ever asks
 * for waiting.
 */
export class PulsoAfter {
  private readonly sealer: CursorSealer;

  constructor(
    secrets: readonly { kid: string; secret: string }[],
    private readonly clock: Clock,
  ) {
    this.sealer = createCursorSealer({ secrets });
  }

  read(header: string | string[] | undefined, viewerId: string | null): RecentWrite[] {
    if (typeof header !== 'string' || viewerId === null || header.length > MAX_HEADER_LENGTH) return [];
    const oldest = this.clock.now() - MAX_AGE_MS;
    const writes = header.split(',', MAX_VALUES).flatMap((value) => this.open(value.trim(), viewerId));
    return writes.filter(({ at }) => at > oldest);
  }

  /** The header after a write: what came with the request and what it wrote, newest version of each state; `most` of them. */
  write(
    viewerId: string,
    before: readonly RecentWrite[],
    wrote: readonly ConsistencyToken[],
    most = MAX_WRITES,
  ): string {
    const at = this.clock.now();
    const newest = new Map<string, RecentWrite>();
    for (const write of [...before, ...wrote.map((token) => ({ ...token, at }))]) {
      const id = `${write.topic}\n${write.key}`;
      if ((newest.get(id)?.version ?? -1) >= write.version) continue;
      // Deleting first moves the entry to the end: the map stays in the order of the writes.
      newest.delete(id);
      newest.set(id, write);
    }
    const kept = [...newest.values()].slice(-most);
    const entries: JsonValue = kept.map(({ topic, key, version, at }) => [topic, key, version, at]);
    return this.sealer.seal(KIND, viewerId, entries);
  }

  private open(header: string, viewerId: string): RecentWrite[] {
    let entries: JsonValue;
    try {
      entries = this.sealer.open(KIND, viewerId, header);
    } catch (error) {
      if (error instanceof DomainError) return [];
      throw error;
    }
    return (entries as [string, string, number, number][]).map(([topic, key, version, at]) => ({
      topic,
      key,
      version,
      at,
    }));
  }
}
