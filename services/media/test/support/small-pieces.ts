import { deflateSync } from 'node:zlib';
import { pngChunk } from './hostile-files.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const latin = (text: string) => Buffer.from(text, 'latin1');
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** A file's begin up to where there may be any number of pieces, and the smallest pieces that there are. */
export interface SmallPieces {
  begin: Buffer;
  pieces: readonly Buffer[];
}

/** The head of a JPEG of 8 x 8 pixels and three components, with the marker of its frame. */
const jpegHead = (frame: string) => hex(`ffd8 ff${frame} 0011 08 0008 0008 03 012200 021100 031100`);
/** A scan of one component that holds nothing. */
const EMPTY_SCAN = hex('ffda 0008 01 0100 00 00 00');

const pngHead = Buffer.concat([
  SIGNATURE,
  pngChunk('IHDR', hex('00000008 00000008 08 02 00 00 00')),
  pngChunk('IDAT', deflateSync(Buffer.alloc(8 * 25))),
]);

const riffChunk = (type: string, data: Buffer) => {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
};
const webpHead = Buffer.concat([
  latin('RIFF\xf0\xff\xff\xffWEBP'),
  riffChunk('VP8 ', hex('000000 9d012a 0800 0800')),
]);

const gifHead = Buffer.concat([latin('GIF89a'), hex('0800 0800 80 00 00 000000 ffffff')]);
const gifFrame = hex('2c 0000 0000 0800 0800 00 02');

/** By the kind's name, each with what makes its files differ. */
export const SMALL_PIECES: readonly [kind: string, what: string, SmallPieces][] = [
  [
    'JPEG',
    'segments before its frame',
    {
      begin: hex('ffd8 ffe00002'),
      pieces: ['ffe00002', 'ffe10003 00', 'fffe0002', 'ffc40002', 'ffdb0002'].map(hex),
    },
  ],
  [
    'JPEG',
    'scans, and segments between them',
    { begin: jpegHead('c2'), pieces: [EMPTY_SCAN, hex('ffc40002'), hex('ff00'), hex('ffd0')] },
  ],
  ['JPEG', 'scans of a sequential picture', { begin: jpegHead('c0'), pieces: [EMPTY_SCAN] }],
  [
    'PNG',
    'chunks',
    {
      begin: pngHead,
      pieces: [
        ...['IDAT', 'tEXt', 'zTXt', 'zzZz', 'fdAT'].map((type) => pngChunk(type, Buffer.alloc(0))),
        pngChunk('IDAT', Buffer.alloc(1)),
      ],
    },
  ],
  [
    'WebP',
    'chunks',
    {
      begin: webpHead,
      pieces: [
        ...['XXXX', 'ICCP', 'EXIF', 'ALPH'].map((type) => riffChunk(type, Buffer.alloc(0))),
        riffChunk('ANMF', Buffer.alloc(16)),
        riffChunk('VP8 ', Buffer.alloc(10)),
      ],
    },
  ],
  [
    'GIF',
    'extensions',
    { begin: gifHead, pieces: ['21fe00', '21f900', '00', '21fe 0100 00', '21ff 01ff 00'].map(hex) },
  ],
  [
    'GIF',
    'blocks of its frame',
    { begin: Buffer.concat([gifHead, gifFrame]), pieces: [hex('0100'), hex('02ffff')] },
  ],
];
