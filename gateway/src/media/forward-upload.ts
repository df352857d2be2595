import { recordWrite, requireCaller } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { KeyedSlots, type SlotKey } from '@pulso/platform/limits/keyed-slots';
import { cancelled } from '@pulso/platform/rpc/rpc-status';
import { decodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../errors/http-problem.js';
import { tooManyRequests } from '../errors/too-many-requests.js';
import { addressSlots } from '../http/guards/address-slots.js';
import type { RequestTimeouts } from '../http/guards/request-timeouts.js';
import { type Address, addressOf } from '../rate-limit/address-key.js';
import type { BytesAnswer, BytesRequest } from './media-bytes-client.js';
import { UploadBody, type UploadPace } from './upload-body.js';

/** What goes to media, and what its answer means. */
export interface Forwarded<T> {
  method: 'POST' | 'PATCH';
  path: string;
  /** Besides the caller's token. */
  headers: BytesRequest['headers'];
  maxBytes: number;
  tooLarge: () => Error;
  /** Whether media keeps a part of the body: then the part goes to it when the client leaves or becomes too slow (MEDIA-23). */
  keepsPart?: boolean;
  /** Asks media, and reads the whole answer. */
  ask(request: BytesRequest): Promise<{ headers: BytesAnswer['headers']; answer: T }>;
  /** Told at the end how much of the body has come, whatever media says. */
  onTaken?(bytes: number): void;
}

export interface UploadShares {
  perAccount: number;
  /** Whoever makes accounts has fewer addresses. */
  perAddress: number;
  /** While more than half of those of the process are taken. */
  perAddressWhenCrowded: number;
  perProcess: number;
}

export interface ForwardLimits extends UploadShares {
  /** How many may wait. */
  waiting: UploadShares;
  /** How long an upload waits for its slot. */
  waitMs: number;
  pace: UploadPace;
  /** How long media may take nothing of a body, and how long it may take to answer after the body's end. */
  answerMs: number;
  /** How long a client may go on sending after its answer. */
  drainMs: number;
}

const LIMITS: ForwardLimits = {
  perAccount: 2,
  perAddress: 6,
  // A page sends so many at once.
  perAddressWhenCrowded: 2,
  perProcess: 16,
  waiting: { perAccount: 10, perAddress: 40, perAddressWhenCrowded: 10, perProcess: 100 },
  waitMs: 20_000,
  pace: { bytes: 256 * 1024, bytesWhenCrowded: 1024 * 1024, everyMs: 10_000 },
  answerMs: 60_000,
  drainMs: 10_000,
};

/** One of an account may still be ending when the next one goes on where it was cut (LIMIT-17). */
const PIECES: Partial<ForwardLimits> = { perAccount: 3, perProcess: 32 };

const noSlot = () => unavailable('Too many files are being uploaded. Please try again in a moment.');
const tooManyWaiting = () =>
  tooManyRequests(1, 'Too many of your files are waiting. Please try again in a moment.');

/**
 * Hands an upload on to media as it comes, with back-pressure, and ends it there when the client leaves. The next ones wait for its
 * slot: a page sends its pictures two at a time, and there may be two pages.
 */
export class ForwardUpload {
  private readonly limits: ForwardLimits;
  private readonly slots: KeyedSlots;

  constructor(
    private readonly timeouts: RequestTimeouts,
    limits: Partial<ForwardLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    const { perProcess: total, waiting, waitMs } = this.limits;
    const slots = { total, waiting: waiting.perProcess, waitMs };
    this.slots = new KeyedSlots(
      () => slots,
      (reason) => (reason === 'key' ? tooManyWaiting() : noSlot()),
    );
  }

  /**
   * Throws `request-timeout`, `file-too-large`, `unavailable`, `too-many-requests`, and what media refuses with:
   * `validation-failed`, `unsupported-media`, `quota-exceeded`, `not-found`.
   */
  async execute<T>(request: FastifyRequest, reply: FastifyReply, forwarded: Forwarded<T>): Promise<T> {
    const { userId } = requireCaller();
    const stop = new AbortController();
    const way: Way = { end: (reason) => stop.abort(reason) };
    const leave = () => way.end(cancelled());
    reply.raw.once('close', leave);
    this.timeouts.allow(request.raw, Infinity);
    try {
      const release = await this.slots.take(this.slotKeys(userId, addressOf(request)), stop.signal);
      try {
        return await this.send(request, forwarded, stop, way);
      } finally {
        release();
      }
    } catch (error) {
      // Without the rest of the body the connection is of no more use.
      if (error instanceof HttpProblem && error.code === 'request-timeout') {
        reply.header('connection', 'close');
      }
      throw error;
    } finally {
      reply.raw.off('close', leave);
      this.timeouts.allow(request.raw, this.limits.drainMs);
    }
  }

  /** Neither an account nor an address, which may have many accounts, can take all slots, or all turns to wait. */
  private slotKeys(account: string, address: Address): SlotKey[] {
    const { perAccount, waiting } = this.limits;
    return [
      { key: account, most: perAccount, waiting: { most: waiting.perAccount } },
      ...addressSlots(address, this.limits, waiting),
    ];
  }

  private async send<T>(
    request: FastifyRequest,
    forwarded: Forwarded<T>,
    stop: AbortController,
    way: Way,
  ): Promise<T> {
    const { pace, answerMs } = this.limits;
    const { method, path, headers, maxBytes, tooLarge, keepsPart = false } = forwarded;
    const isCrowded = () => this.slots.isCrowded;
    const limits = { maxBytes, tooLarge, pace, isCrowded, answerMs };
    const body = new UploadBody(request.raw, limits, (reason) =>
      isOfSender(reason) ? way.end(reason) : stop.abort(reason),
    );
    let cutBy: Error | undefined;
    if (keepsPart) {
      way.end = (reason) => {
        cutBy ??= reason;
        body.endEarly();
      };
    }
    let timer: NodeJS.Timeout | undefined;
    body.once('finish', () => {
      timer = setTimeout(() => stop.abort(unavailable()), answerMs);
    });
    try {
      const { authorization } = request.headers;
      const all = { authorization, ...headers };
      const { headers: given, answer } = await forwarded.ask({
        method,
        path,
        headers: all,
        body,
        signal: stop.signal,
      });
      // Media of the version before tells none.
      const wrote = given[WROTE];
      for (const token of typeof wrote === 'string' ? decodeTokens(wrote) : []) recordWrite(token);
      if (cutBy) throw cutBy;
      return answer;
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : (cutBy ?? error);
    } finally {
      clearTimeout(timer);
      forwarded.onTaken?.(body.taken);
      body.release();
    }
  }
}

/** How an upload ends before its time: by ending media's request, unless it can be ended well. */
interface Way {
  end(reason: Error): void;
}

/** Whether it is the sender who does not go on; otherwise it is media, or more came than may. */
const isOfSender = (reason: Error) => reason instanceof HttpProblem && reason.code === 'request-timeout';

/** The same for pieces of videos, which have slots of their own: one takes as long as its sender, and holds up no picture. */
export class ForwardPieces extends ForwardUpload {
  constructor(timeouts: RequestTimeouts, limits: Partial<ForwardLimits> = {}) {
    super(timeouts, { ...PIECES, ...limits });
  }
}
