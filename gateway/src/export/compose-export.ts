import { Injectable } from '@nestjs/common';
import type { ExportUserPage } from '@pulso/contracts/common/v1/export';
import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { requireCaller, type RequestContext, runInContext } from '@pulso/platform/context/request-context';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { KeyedSlots } from '@pulso/platform/limits/keyed-slots';
import { Clock } from '@pulso/platform/time/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import {
  BillingClient,
  IdentityClient,
  MediaClient,
  MessagingClient,
  PostsClient,
  SocialClient,
} from '../clients.js';
import { tooManyRequests } from '../errors/too-many-requests.js';
import { reset } from '../http/guards/reset.js';
import { exportDocument } from './export-document.js';

/** Each may hold a page of every service, some 3 MB. */
const PER_PROCESS = 20;
const PER_ACCOUNT = 1;
const BUSY_SECONDS = 30;
/** A reader that has not got the document after this time is cut off. */
const LONGEST_MS = 5 * 60_000;
const NOT_ALL_THERE =
  'Your data cannot be put together now, since a part of it is not available. Please try again later.';

interface Exporting {
  exportUser(request: { cursor: string }): Promise<ExportUserPage>;
}

type AskPage = (service: ServiceName, cursor: string) => Promise<ExportUserPage>;

/**
 * Everything that all services hold of the caller, as one document (ACCT-35). It begins only when each service has answered; if one fails
 * later, the connection is aborted.
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
  ) {
    this.services = { billing, identity, media, messaging, posts, social };
  }

  /** Throws `unavailable` and `too-many-requests`. */
  async execute(request: FastifyRequest, reply: FastifyReply): Promise<Readable> {
    const { userId } = requireCaller();
    this.takeSlot(userId, request, reply);
    const now = this.clock.now();
    // That of the request ends after 5 s, and the later pages are read outside of it.
    const context: RequestContext = { ...request.pulso!.context, deadline: now + LONGEST_MS };
    const pageOf = (service: ServiceName, cursor: string) =>
      runInContext(context, () => this.services[service].exportUser({ cursor }));
    const heads = new Map(await Promise.all(SERVICE_NAMES.map((name) => headOf(name, pageOf))));
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="pulso-export.json"')
      .header('cache-control', 'private, no-store');
    // Fastify would read all of it for the answer to HEAD, which has no body.
    if (request.method === 'HEAD') return Readable.from([]);
    const exportedAt = new Date(now).toISOString();
    const next = (service: ServiceName, cursor: string) =>
      pageOf(service, cursor).catch((error: unknown) => {
        // Otherwise it depends on how fast the socket is whether this is an answer or a cut document.
        reset(request.raw.socket);
        throw error;
      });
    return Readable.from(exportDocument({ userId, exportedAt, heads, next }), { objectMode: false });
  }

  private takeSlot(userId: string, request: FastifyRequest, reply: FastifyReply): void {
    const taken = this.slots.tryTake([{ key: userId, most: PER_ACCOUNT }]);
    if (taken === 'total') throw unavailable();
    if (taken === 'key') throw tooManyRequests(BUSY_SECONDS, 'Your data is being put together already.');
    const timer = setTimeout(() => reset(request.raw.socket), LONGEST_MS).unref();
    reply.raw.once('close', () => {
      clearTimeout(timer);
      taken();
    });
  }
}

/** The first page of a service. Throws `unavailable`, with a text for the user, if it does not answer. */
async function headOf(service: ServiceName, pageOf: AskPage): Promise<[ServiceName, ExportUserPage]> {
  try {
    return [service, await pageOf(service, '')];
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') throw unavailable(NOT_ALL_THERE);
    throw error;
  }
}
