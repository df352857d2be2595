import { Injectable } from '@nestjs/common';

/** What one run of a program may take. */
export interface RunLimits {
  /** Seconds of the processor. */
  cpuS: number;
  /** Milliseconds, on a busy machine, too. */
  wallMs: number;
}

const MB = 1024 * 1024;

/** What the programs may take for one video (MEDIA-24). A provider, so that tests may narrow it. */
@Injectable()
export class VideoLimits {
  probe: RunLimits = { cpuS: 20, wallMs: 60_000 };
  /** Packing again what is not decoded. */
  copy: RunLimits = { cpuS: 60, wallMs: 180_000 };
  /** Decoding and encoding. */
  transcode: RunLimits = { cpuS: 600, wallMs: 1_200_000 };
  thumbnail: RunLimits = { cpuS: 30, wallMs: 120_000 };
  /** What a program allocates. Of an 8-bit 4K video the decoder holds some 250 MB. */
  memoryBytes = 1_024 * MB;
  /** With the program's own code and what it maps. */
  addressBytes = 2_048 * MB;
  /** One allocation, so that a size in a header is refused before it is tried. */
  blockBytes = 256 * MB;
  /** A video that is packed again grows by less than a tenth; a longer one is not stored. */
  outputBytes = 60 * MB;
  /** Of what is decoded and encoded: 20 minutes at 30 a second. */
  frames = 36_000;
  streams = 32;
  side = 8_192;
  pixels = 40_000_000;
  durationMs = 4 * 60 * 60_000;
  /** Of a video that browsers get as it is: they do not decode larger ones by hardware. */
  playedSide = 4_096;
  /** Of one that is encoded. */
  encodedSide = 1_920;
  thumbnailSide = 1_280;
}
