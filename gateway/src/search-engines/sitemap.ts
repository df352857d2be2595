import { setTimeout as later } from 'node:timers/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { CoachOrder } from '@pulso/contracts/identity/v1/identity';
import { unavailable } from '@pulso/platform/errors/domain-error';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import type { GatewayClients } from '../connect-services.js';
import { asVisitor } from '../http/as-visitor.js';
import { escapeHtml } from '../http/pages/escape-html.js';

/** Of sitemaps.org: one file has no more. */
const ADDRESSES_MAX = 50_000;
const BYTES_MAX = 50 * 1024 * 1024;

const MINUTE = 60_000;
const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
const END = '</urlset>\n';
const PAGES = [{ path: '/' }, { path: '/coaches' }];

export interface SitemapLimits {
  /** How old one may be before the next is made. */
  freshMs: number;
  /** From a failure to the next attempt. */
  againMs: number;
  /** How long the first who asks waits for it. */
  waitMs: number;
  /** Between two pieces, so that making it disturbs nobody. */
  pauseMs: number;
  /** Coaches or posts in a piece, which is one call. */
  piece: number;
  /** Posts that are looked at, the newest. */
  posts: number;
  addresses: number;
}

const LIMITS: SitemapLimits = {
  freshMs: 60 * MINUTE,
  againMs: MINUTE,
  waitMs: 3_000,
  pauseMs: 50,
  piece: 100,
  posts: 5_000,
  addresses: ADDRESSES_MAX,
};
/** Of each call for a piece. */
const BUDGET_MS = 2_000;

interface Options {
  clients: {
    identity: Pick<GatewayClients['identity'], 'listCoaches'>;
    posts: Pick<GatewayClients['posts'], 'listPublicPosts'>;
  };
  publicUrl: string;
  clock: Clock;
  logger: Logger;
  limits?: Partial<SitemapLimits>;
}

interface Address {
  path: string;
  /** When what stands there changed last, in ms; undefined where nobody knows that. */
  changedAt?: number;
}

/**
 * The addresses that search engines are to know: the pages of the site, its coaches, the best first, and the newest public posts
 * (HTTP-39). Made at most
 * once an hour, whoever asks and how often, and kept compressed.
 */
export class Sitemap {
  private readonly limits: SitemapLimits;
  private made: { gzipped: Buffer; at: number } | undefined;
  private making: Promise<void> | undefined;
  private failedAt = -Infinity;

  constructor(private readonly options: Options) {
    this.limits = { ...LIMITS, ...options.limits };
  }

  /**
   * The sitemap as gzip, an older one while the next is made. Throws unavailable where there is none yet: it takes longer, or
   * identity or posts is down.
   */
  async gzipped(): Promise<Buffer> {
    const now = this.options.clock.now();
    const isFresh = this.made !== undefined && now - this.made.at < this.limits.freshMs;
    const mayMake = !isFresh && now - this.failedAt >= this.limits.againMs;
    if (mayMake) this.making ??= this.make(now).finally(() => (this.making = undefined));
    if (!this.made && this.making) {
      const ending = new AbortController();
      const waited = later(this.limits.waitMs, undefined, { ref: false, signal: ending.signal });
      await Promise.race([this.making, waited.catch(() => undefined)]);
      ending.abort();
    }
    if (!this.made) throw unavailable();
    return this.made.gzipped;
  }

  /** Never rejects. */
  private async make(at: number): Promise<void> {
    try {
      this.made = { gzipped: await this.write(), at };
    } catch (err) {
      this.failedAt = at;
      this.options.logger.warn({ err }, 'the sitemap was not made');
    }
  }

  private async write(): Promise<Buffer> {
    const gzip = createGzip();
    const chunks: Buffer[] = [];
    gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve, reject) => gzip.once('end', resolve).once('error', reject));
    // It may fail before somebody looks.
    ended.catch(() => undefined);
    try {
      await writeTo(gzip, HEAD);
      let left = { addresses: this.limits.addresses, bytes: BYTES_MAX - HEAD.length - END.length };
      for await (const addresses of this.pieces()) {
        const entries = this.entriesWithin(addresses, left);
        await writeTo(gzip, entries.join(''));
        left = {
          addresses: left.addresses - entries.length,
          bytes: left.bytes - entries.reduce((sum, entry) => sum + entry.length, 0),
        };
        if (entries.length < addresses.length || left.addresses === 0) break;
      }
      gzip.end(END);
      await ended;
    } finally {
      gzip.destroy();
    }
    return Buffer.concat(chunks);
  }

  private async *pieces(): AsyncGenerator<readonly Address[]> {
    const { identity, posts } = this.options.clients;
    const { piece: limit } = this.limits;
    yield PAGES;
    yield* this.paged(async (cursor) => {
      const order = CoachOrder.COACH_ORDER_MERIT;
      const { items, nextCursor } = await identity.listCoaches({
        q: '',
        specialty: '',
        order,
        limit,
        cursor,
      });
      return { items: items.map(({ username }) => ({ path: `/${username}` })), nextCursor };
    });
    let left = this.limits.posts;
    yield* this.paged(async (cursor) => {
      const { items, nextCursor } = await posts.listPublicPosts({ limit, cursor });
      left -= limit;
      const addresses = items.map(({ id, changedAt }) => ({ path: `/post/${id}`, changedAt }));
      return { items: addresses, nextCursor: left > 0 ? nextCursor : '' };
    });
  }

  /** Each page of a list, as a visitor sees it. */
  private async *paged(
    read: (cursor: string) => Promise<{ items: Address[]; nextCursor: string }>,
  ): AsyncGenerator<readonly Address[]> {
    const { clock } = this.options;
    let cursor = '';
    do {
      const page = await asVisitor({ clock, budgetMs: BUDGET_MS }, () => read(cursor));
      yield page.items;
      cursor = page.nextCursor;
      await later(this.limits.pauseMs, undefined, { ref: false });
    } while (cursor !== '');
  }

  private entriesWithin(addresses: readonly Address[], left: { addresses: number; bytes: number }): string[] {
    const entries: string[] = [];
    let bytes = 0;
    for (const address of addresses.slice(0, left.addresses)) {
      const entry = this.entryOf(address);
      bytes += entry.length;
      if (bytes > left.bytes) break;
      entries.push(entry);
    }
    return entries;
  }

  private entryOf({ path, changedAt }: Address): string {
    const lastmod = changedAt === undefined ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    return `<url><loc>${escapeHtml(this.options.publicUrl + path)}</loc>${lastmod}</url>\n`;
  }
}

function writeTo(gzip: Gzip, text: string): Promise<void> {
  return new Promise((resolve, reject) => gzip.write(text, (error) => (error ? reject(error) : resolve())));
}
