import { Injectable } from '@nestjs/common';
import type { SealedNotice } from '@pulso/contracts/identity/v1/events';
import { MessageOpener } from '@pulso/platform/auth/sealed-message';
import { z } from 'zod';

/** Identity leaves out what a notice has not. */
const notice: z.ZodType<SealedNotice> = z.object({
  to: z.string().default(''),
  token: z.string().default(''),
  userAgent: z.string().default(''),
  at: z.number().default(0),
});

/** Opens what identity has sealed for this worker: addresses and tokens, which nothing may log or store (MAIL-13). */
@Injectable()
export class SealedNotices {
  constructor(private readonly opener: MessageOpener) {}

  /** Rejects if no key opens it, or if it is no notice. */
  async open(sealed: string): Promise<SealedNotice> {
    const opened = await this.opener.open(sealed);
    try {
      return notice.parse(JSON.parse(Buffer.from(opened).toString()));
    } catch {
      // The error of the parser would repeat a part of it in the log.
      throw new Error('what identity has sealed is no notice');
    }
  }
}
