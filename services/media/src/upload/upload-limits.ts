import { IMAGE } from '@pulso/contracts/limits';
import { Injectable } from '@nestjs/common';

/** What uploads may take of a process (LIMIT-10). A provider, so that tests may narrow it. */
@Injectable()
export class UploadLimits {
  /** Of one account at once, and of all. */
  perOwner = 2;
  total = 16;
  /** How long an upload waits for its turn, and how many may wait. */
  waitMs = 20_000;
  waiting = 100;
  /** At least so many bytes in so much time. */
  paceBytes = 262_144;
  paceMs = 10_000;
  /** Pictures that are worked on at once, each in a process of its own (PictureLimits): in all, and of one account. */
  pictures = 2;
  picturesPerOwner = 1;
  /** Pictures of one account in an hour that are refused, or that take more than this of the processor. */
  dearPerHour = 70;
  dearMs = 1_000;
  /**
   * What uploads leave free of the files' disk. More than the document store leaves, which shares it in the embedded profile, and
   * than the log of PostgreSQL may grow: both must go on when uploads have filled the rest.
   */
  diskReserveBytes = 512 * 1024 * 1024;
  fileBytes: number = IMAGE.maxBytes;
  /** What a form has besides its file. */
  formBytes = 65_536;
}
