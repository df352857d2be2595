import { unavailable } from '@pulso/platform/errors/domain-error';
import { KeyedSlots } from '@pulso/platform/limits/keyed-slots';
import { cancelled } from '@pulso/platform/rpc/rpc-status';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { tooManyRequests } from '../errors/too-many-requests.js';
import { addressSlots } from '../http/guards/address-slots.js';
import { reset } from '../http/guards/reset.js';
import { addressOf } from '../rate-limit/address-key.js';
import { type BytesAnswer, MediaBytesClient } from './media-bytes-client.js';

type Delivered = 'file' | 'archive';

interface DeliveryLimits {
  perAddress: number;
  /** While more than half of all slots are taken. */
  perAddressWhenCrowded: number;
  perProcess: number;
  /** A reader that has not got the file after this time is cut off. */
  longestMs: number;
}

/** An archive is larger, and has slots of its own: nobody who reads one slowly holds up pictures (LIMIT-20). */
const LIMITS: Record<Delivered, DeliveryLimits> = {
  file: { perAddress: 200, perAddressWhenCrowded: 64, perProcess: 1_000, longestMs: 10 * 60_000 },
  archive: { perAddress: 8, perAddressWhenCrowded: 4, perProcess: 100, longestMs: 60 * 60_000 },
};

const PASSED_ON_HEADERS = [
  ...['content-type', 'content-length', 'content-range', 'content-disposition'],
  ...['accept-ranges', 'etag', 'cache-control'],
];
/** Not more than one read of a stream brings. */
const SMALL_BYTES = 64 * 1024;
/** Whatever a file holds, it does nothing and loads nothing where it is opened by itself. */
const POLICY = "default-src 'none'; sandbox";

/** Hands a file on from media as its reader takes it (HTTP-36, MEDIA-19, MEDIA-20). */
export class DeliverFile {
  private readonly places: Record<Delivered, { limits: DeliveryLimits; slots: KeyedSlots }>;

  /** Without `limits` of a kind they are the usual ones. */
  constructor(
    private readonly bytes: MediaBytesClient,
    limits: Partial<Record<Delivered, Partial<DeliveryLimits>>> = {},
  ) {
    const placesOf = (kind: Delivered) => {
      const own = { ...LIMITS[kind], ...limits[kind] };
      const slots = { total: own.perProcess, waiting: 0, waitMs: 0 };
      return { limits: own, slots: new KeyedSlots(() => slots) };
    };
    this.places = { file: placesOf('file'), archive: placesOf('archive') };
  }

  /** Throws `not-found`, `permission-denied`, `range-not-satisfiable`, `unavailable` and `too-many-requests`. */
  async execute(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    kind: Delivered,
  ): Promise<Readable | Buffer | undefined> {
    // Of refusals; media tells how long the file may be kept.
    reply.header('cache-control', 'private, no-cache').header('content-security-policy', POLICY);
    this.takeSlot(request, reply, kind);
    const stop = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) stop.abort(cancelled());
    });

    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
    const answer = await this.bytes.ask({
      method,
      path,
      headers: { range, 'if-range': ifRange as string | undefined, 'if-none-match': ifNoneMatch },
      signal: stop.signal,
    });
    const { statusCode, headers: given, body } = answer;
    // Before the headers, which are not those of a refusal.
    const whole =
      method === 'GET' && isSmall(answer) ? await this.bytes.read(answer, stop.signal) : undefined;
    reply.code(statusCode);
    for (const name of PASSED_ON_HEADERS) if (given[name] !== undefined) reply.header(name, given[name]);
    if (whole) return whole;
    if (statusCode === 304 && method === 'GET') {
      await body.dump();
      return undefined;
    }
    // Of HEAD, too, where it is empty: without one Fastify would call the length 0. It listens only later.
    body.on('error', () => undefined);
    return body;
  }

  private takeSlot(request: FastifyRequest, reply: FastifyReply, kind: Delivered): void {
    const { limits, slots } = this.places[kind];
    const taken = slots.tryTake(addressSlots(addressOf(request), limits));
    if (taken === 'total') throw unavailable();
    if (taken === 'key') throw tooManyRequests(1);
    const timer = setTimeout(() => reset(request.raw.socket), limits.longestMs).unref();
    reply.raw.once('close', () => {
      clearTimeout(timer);
      taken();
    });
  }
}

/** The bytes of it cost much less than a stream of them. */
function isSmall({ headers: { 'content-length': length } }: BytesAnswer): boolean {
  return length !== undefined && Number(length) <= SMALL_BYTES;
}
