import { Image as ImageMessage } from '@pulso/contracts/media/v1/media';
import { IMAGE, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { recordWrite, requireCaller } from '@pulso/platform/context/request-context';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { KeyedSlots, type SlotKey } from '@pulso/platform/limits/keyed-slots';
import { cancelled } from '@pulso/platform/rpc/rpc-status';
import { decodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../errors/http-problem.js';
import { tooManyRequests } from '../errors/too-many-requests.js';
import { addressSlots } from '../http/guards/address-slots.js';
import type { RequestTimeouts } from '../http/guards/request-timeouts.js';
import { type Address, addressOf } from '../rate-limit/address-key.js';
import type { Image } from './image.dto.js';
import { MediaBytesClient } from './media-bytes-client.js';
import { toUploadedImage } from './to-image.js';
import { UploadBody, type UploadPace } from './upload-body.js';

/** Beside the file: boundaries, names and the other fields. */
const FORM_BYTES = 64 * 1024;
/** A form with an image is at most so large; media counts the file itself. */
export const IMAGE_FORM_BYTES = IMAGE.maxBytes + FORM_BYTES;

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

const tooLarge = () => new DomainError('file-too-large', VALIDATION_MESSAGES.imageTooLarge);
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
    private readonly bytes: MediaBytesClient,
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
   * `validation-failed`, `unsupported-media`, `quota-exceeded`.
   */
  async execute(request: FastifyRequest, reply: FastifyReply): Promise<Image> {
    const { userId } = requireCaller();
    const stop = new AbortController();
    const leave = () => stop.abort(cancelled());
    reply.raw.once('close', leave);
    this.timeouts.allow(request.raw, Infinity);
    try {
      const release = await this.slots.take(this.slotKeys(userId, addressOf(request)), stop.signal);
      try {
        return await this.send(request, stop);
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

  private async send(request: FastifyRequest, stop: AbortController): Promise<Image> {
    const { pace, answerMs } = this.limits;
    const { contentType, contentLength } = request.upload!;
    const isCrowded = () => this.slots.isCrowded;
    const limits = { maxBytes: IMAGE_FORM_BYTES, tooLarge, pace, isCrowded, answerMs };
    const body = new UploadBody(request.raw, limits, (reason) => stop.abort(reason));
    let timer: NodeJS.Timeout | undefined;
    body.once('finish', () => {
      timer = setTimeout(() => stop.abort(unavailable()), answerMs);
    });
    try {
      const answer = await this.bytes.ask({
        method: 'POST',
        path: '/images',
        headers: {
          authorization: request.headers.authorization,
          'content-type': contentType,
          'content-length': contentLength,
        },
        body,
        signal: stop.signal,
      });
      const image = ImageMessage.decode(new Uint8Array(await answer.body.arrayBuffer()));
      // Media of the version before tells none.
      const wrote = answer.headers[WROTE];
      for (const token of typeof wrote === 'string' ? decodeTokens(wrote) : []) recordWrite(token);
      return toUploadedImage(image);
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      clearTimeout(timer);
      body.release();
    }
  }
}
