/** A kind of container. Its demuxer is the only one that ever reads such a file (MEDIA-11). */
export interface VideoFamily {
  /** Of `VIDEO.types`. */
  type: 'video/mp4' | 'video/webm' | 'video/ogg';
  /** By ffmpeg's name. */
  demuxer: 'mov' | 'matroska' | 'ogg';
}

export const MP4: VideoFamily = { type: 'video/mp4', demuxer: 'mov' };
export const WEBM: VideoFamily = { type: 'video/webm', demuxer: 'matroska' };
export const OGG: VideoFamily = { type: 'video/ogg', demuxer: 'ogg' };

/** How much of a file's begin `familyOf` needs. */
export const FAMILY_BYTES = 256;

const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
/** The element DocType with its length. Others than webm, such as Matroska's own, may hold anything. */
const DOC_TYPE = Buffer.concat([Buffer.from([0x42, 0x82, 0x84]), Buffer.from('webm')]);

/** The family of a file by its first bytes; undefined for any other content. */
export function familyOf(begin: Buffer): VideoFamily | undefined {
  const head = begin.subarray(0, FAMILY_BYTES);
  // mp4 and QuickTime's mov, which phones name .mp4, too.
  if (head.toString('latin1', 4, 8) === 'ftyp') return MP4;
  if (head.subarray(0, EBML.length).equals(EBML)) return head.includes(DOC_TYPE) ? WEBM : undefined;
  return head.toString('latin1', 0, 4) === 'OggS' ? OGG : undefined;
}
