import { Injectable } from '@nestjs/common';
import type { ExportUserPage } from '@pulso/contracts/common/v1/export';
import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { type RequestContext, runInContext } from '@pulso/platform/context/request-context';
import { DomainError, tokenExpired, unavailable } from '@pulso/platform/errors/domain-error';
import { KeyedSlots, type ReleaseSlot } from '@pulso/platform/limits/keyed-slots';
import { Clock } from '@pulso/platform/time/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { EndedSessions } from '../auth/ended-sessions.js';
import { verifiedCallerOf } from '../http/verified-caller-of.js';
import {
  BillingClient,
  IdentityClient,
  MediaClient,
  MessagingClient,
  PostsClient,
  SocialClient,
} from '../clients.js';
import { tooManyRequests } from '../errors/too-many-requests.js';
import { addressSlots } from '../http/guards/address-slots.js';
import { reset } from '../http/guards/reset.js';
import { addressOf } from '../rate-limit/address-key.js';
import { exportDocument } from './export-document.js';

/** Each may hold a page of every service, some 3 MB. */
const PER_PROCESS = 20;
const PER_ACCOUNT = 1;
/** Whoever makes accounts has fewer addresses. */
const OF_ADDRESS = { perAddress: 4, perAddressWhenCrowded: 1 };
const BUSY_SECONDS = 30;
/** A reader that has not got the document after this time is cut off. */
const LONGEST_MS = 5 * 60_000;
const BUSY =
  'Your data is being put together already, or that of others in your network. Please try again soon.';
const NOT_ALL_THERE =
  'Your data cannot be put together now, since a part of it is not available. Please try again later.';

interface Exporting {
  exportUser(request: { cursor: string }): Promise<ExportUserPage>;
}

/**
 * Everything that all services hold of the caller, as one document (ACCT-35). It begins only when each service has answered; if one fails
 * later, there is no whole document: the connection of its reader is aborted.
 */
@Injectable()
export class ComposeExport {
  private readonly services: Readonly<Record<ServiceName, Exporting>>;
  private readonly slots = new KeyedSlots(() => ({ total: PER_PROCESS, waiting: 0, waitMs: 0 }));

  constructor(
    billing: BillingClient,
    identity: IdentityClient,
    media: MediaClient,
    messaging: MessagingClient,
    posts: PostsClient,
    social: SocialClient,
    private readonly clock: Clock,
    private readonly ended: EndedSessions,
  ) {
    this.services = { billing, identity, media, messaging, posts, social };
  }

  /** The document as the answer to a request. Throws `unavailable` and `too-many-requests`. */
  async execute(request: FastifyRequest, reply: FastifyReply): Promise<Readable> {
    // A failure resets the connection: else it depends on how fast the socket is whether the reader sees an answer or a cut document.
    const document = this.begin(request, () => reset(request.raw.socket));
    reply.raw.once('close', () => document.end());
    const text = await document.open();
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="pulso-export.json"')
      .header('cache-control', 'private, no-store');
    // Fastify would read all of it for the answer to HEAD, which has no body.
    return request.method === 'HEAD' ? Readable.from([]) : text;
  }

  /**
   * Hands the document to `take`, which has 5 minutes. `signal` is aborted, with the reason, when these are over, and when the document ends early
   * because a service does not answer. Throws as `execute`, and as `take`.
   */
  async hand<T>(
    request: FastifyRequest,
    take: (document: Readable, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const early = new AbortController();
    // Whoever takes it hears why it ends, and not only that it does.
    const document = this.begin(request, (reason) => early.abort(reason));
    try {
      return await take(await document.open(), early.signal);
    } finally {
      document.end();
    }
  }

  /** Takes a slot for 5 minutes, until `end`. `cut` is called when they are over, and when the opened document ends early. */
  private begin(request: FastifyRequest, cut: (reason: unknown) => void) {
    const release = this.takeSlot(request);
    const timer = setTimeout(() => cut(unavailable(NOT_ALL_THERE)), LONGEST_MS).unref();
    const watched = async function* (text: AsyncIterable<string>) {
      try {
        yield* text;
      } catch (error) {
        cut(error);
        throw error;
      }
    };
    return {
      open: async () => Readable.from(watched(await this.textOf(request)), { objectMode: false }),
      end: () => {
        clearTimeout(timer);
        release();
      },
    };
  }

  /** The text of the document, once each service has answered. It ends early with the caller's session (ACCT-21). */
  private async textOf(request: FastifyRequest): Promise<AsyncGenerator<string>> {
    const caller = verifiedCallerOf(request);
    const now = this.clock.now();
    // That of the request ends after 5 s, and the later pages are read outside of it.
    const context: RequestContext = { ...request.pulso!.context, deadline: now + LONGEST_MS };
    const pageOf = async (service: ServiceName, cursor: string) => {
      // Services verify a token's time alone.
      if (this.ended.refuses(caller)) throw tokenExpired();
      return runInContext(context, () =>
        this.services[service].exportUser({ cursor }).catch((error: unknown) => {
          const isAway = error instanceof DomainError && error.code === 'unavailable';
          throw isAway ? unavailable(NOT_ALL_THERE) : error;
        }),
      );
    };
    const heads = new Map(
      await Promise.all(SERVICE_NAMES.map(async (name) => [name, await pageOf(name, '')] as const)),
    );
    const { userId } = caller;
    return exportDocument({ userId, exportedAt: new Date(now).toISOString(), heads, next: pageOf });
  }

  private takeSlot(request: FastifyRequest): ReleaseSlot {
    const { userId } = verifiedCallerOf(request);
    const ofAddress = addressSlots(addressOf(request), OF_ADDRESS);
    const taken = this.slots.tryTake([{ key: userId, most: PER_ACCOUNT }, ...ofAddress]);
    if (taken === 'total') throw unavailable();
    if (taken === 'key') throw tooManyRequests(BUSY_SECONDS, BUSY);
    return taken;
  }
}
