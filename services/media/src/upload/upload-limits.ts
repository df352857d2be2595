import { IMAGE } from '@pulso/contracts/limits';
import { Injectable } from '@nestjs/common';

/** What uploads may take of a process (LIMIT-10). A provider, so that tests may narrow it. */
@Injectable()
export class UploadLimits {
  /**
   * Uploads of one account at once, and of all. A gateway counts its own uploads, too (`gateway/src/media`): also by address, and
   * before it opens a connection to media. It cannot bound those of other gateways, which share this process: each upload holds
   * its whole file in memory here, and room in its owner's quota.
   */
  perOwner = 2;
  total = 16;
  /** Requests with pieces of videos, each of which holds up to 2 MiB in memory. */
  streamsPerOwner = 3;
  streams = 32;
  /** How long an upload waits for a slot, and how many may wait. */
  waitMs = 20_000;
  waiting = 100;
  /** At least so many bytes in so much time. */
  paceBytes = 262_144;
  paceMs = 10_000;
  /** Pictures that are decoded at once, in total and of one account; each has its own process (PictureLimits). */
  pictures = 2;
  picturesPerOwner = 1;
  /** Pictures of one account in an hour that are refused, or that take more than this of the processor. */
  costlyPerHour = 70;
  costlyMs = 1_000;
  /**
   * What uploads leave free of the files' disk. More than the document store leaves, which shares it in the embedded profile, and
   * than the log of PostgreSQL may grow: both must go on when uploads have filled the rest.
   */
  diskReserveBytes = 512 * 1024 * 1024;
  fileBytes: number = IMAGE.maxBytes;
  /** What a form has besides its file. */
  formBytes = 65_536;
}
