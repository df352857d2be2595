import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import sharp from 'sharp';
import { VideoLimits } from '../src/video-worker/video-limits.js';
import { TestMedia } from './start.js';
import { box, claimedSides } from './support/mp4-boxes.js';
import { SampleVideos } from './support/sample-videos.js';
import { TestVideos } from './support/test-videos.js';

const { videoKind, videoMetadata, videoNotPrepared, videoThumbnail } = VALIDATION_MESSAGES;

let media: TestMedia;
let videos: TestVideos;
let samples: SampleVideos;
beforeAll(async () => {
  samples = await SampleVideos.start();
  media = await TestMedia.start();
  videos = await TestVideos.start(media);
});
afterAll(async () => {
  await videos?.stop();
  await media?.stop();
  await samples?.stop();
});

/** Uploads it, and resolves to why it has failed. Then it counts nothing, and none of its files is kept. */
async function problemOf(bytes: Buffer, type = 'video/mp4'): Promise<string> {
  const { id, status, problem } = await videos.prepared({ bytes, type });
  expect(status).toBe('failed');
  expect([await videos.countedBytes(id), await videos.objectsOf(id)]).toEqual([0, []]);
  return problem;
}

const header = (brand = 'isom') => box('ftyp', Buffer.from(`${brand}\0\0\x02\0isom`, 'latin1'));

// Rule: MEDIA-11
describe('content of another kind than declared', () => {
  it.each([
    ['a playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'],
    ['a list of files', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a script of filters', 'movie=/etc/passwd'],
    ['one byte', 'x'],
  ])('is no video: %s', async (_name, text) => {
    expect(await problemOf(Buffer.from(text))).toBe(videoKind);
  });

  it('a picture, a film of another kind, and one without pictures', async () => {
    const create = { width: 8, height: 8, channels: 3, background: 'red' } as const;
    expect(await problemOf(await sharp({ create }).png().toBuffer())).toBe(videoKind);
    expect(await problemOf(await samples.webm())).toBe(videoKind);
    expect(await problemOf(await samples.mp4(), 'video/webm')).toBe(videoKind);
    expect(await problemOf(await samples.make('-f lavfi -i sine=duration=1 -c:a aac', 'mp4'))).toBe(
      videoKind,
    );
  });

  it('Matroska that is no webm', async () => {
    const mkv = await samples.make('-f lavfi -i testsrc=size=64x64:duration=1 -c:v libx264', 'mkv');
    expect(await problemOf(mkv, 'video/webm')).toBe(videoKind);
  });
});

// Rule: MEDIA-11, MEDIA-12
describe('a broken or hostile video', () => {
  it('that begins as an mp4 and goes on as a playlist is read by one demuxer alone', async () => {
    const list = Buffer.from('#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n');
    expect(await problemOf(Buffer.concat([header(), list]))).toBe(videoMetadata);
  });

  it('that claims 4 GB, or boxes without an end', async () => {
    for (const name of ['mdat', 'moov', 'cmov'])
      expect(await problemOf(Buffer.concat([header(), box(name, Buffer.alloc(64), 0xffff_fff0)]))).toBe(
        videoMetadata,
      );
    const nested = Array.from({ length: 3000 }).reduce<Buffer>(
      (inner) => box('moov', inner),
      Buffer.alloc(8),
    );
    expect(await problemOf(Buffer.concat([header(), nested]))).toBe(videoMetadata);
  });

  it('that is cut off before its index', async () => {
    const whole = await samples.mp4();
    expect(await problemOf(whole.subarray(0, whole.length / 2))).toBe(videoMetadata);
  });

  it('whose pictures are cut off is as long as they are, or fails', async () => {
    const fast = await samples.mp4(2, '-movflags +faststart');
    const { status, problem } = await videos.prepared({
      bytes: fast.subarray(0, Math.round(fast.length * 0.7)),
    });
    expect([status, [videoNotPrepared, videoThumbnail, ''].includes(problem)]).toEqual([
      problem === '' ? 'ready' : 'failed',
      true,
    ]);
  });

  it('whose pictures are noise', async () => {
    const whole = await samples.silent();
    const noisy = Buffer.from(whole);
    noisy.fill(0xa5, noisy.indexOf('mdat') + 4, noisy.indexOf('moov') - 4);
    expect([videoNotPrepared, videoThumbnail]).toContain(await problemOf(noisy));
  });

  it('that claims huge sides, or has them', async () => {
    // What a stream says itself holds, where it does.
    const { width, height } = await videos.prepared({
      bytes: claimedSides(await samples.hevc(), 60_000, 60_000),
    });
    expect([width, height]).toEqual([128, 128]);
    expect(
      await problemOf(
        await samples.make('-f lavfi -i color=size=8704x64:rate=1:duration=1 -c:v libx264', 'mp4'),
      ),
    ).toBe(videoNotPrepared);
  });

  it('with more streams than anybody needs', async () => {
    const maps = Array.from({ length: 40 }, () => '-map 0').join(' ');
    const many = await samples.make(
      `-f lavfi -i testsrc=size=16x16:rate=1:duration=1 ${maps} -c:v mpeg4`,
      'mp4',
    );
    expect([videoNotPrepared, videoMetadata]).toContain(await problemOf(many));
  });

  it('that is a small file of many large pictures comes to a limit of time, twice', async () => {
    const limits = videos.worker.get(VideoLimits);
    const { transcode } = limits;
    limits.transcode = { cpuS: 1, wallMs: 60_000 };
    expect(await problemOf(await samples.bomb())).toBe(videoNotPrepared);
    limits.transcode = { cpuS: 60, wallMs: 50 };
    expect(await problemOf(await samples.bomb())).toBe(videoNotPrepared);
    limits.transcode = transcode;
  });

  it('that needs more memory than there may be', async () => {
    const limits = videos.worker.get(VideoLimits);
    const { memoryBytes, addressBytes } = limits;
    [limits.memoryBytes, limits.addressBytes] = [48 * 1024 * 1024, 256 * 1024 * 1024];
    const problem = await problemOf(await samples.bomb());
    [limits.memoryBytes, limits.addressBytes] = [memoryBytes, addressBytes];
    expect([videoNotPrepared, videoMetadata]).toContain(problem);
  });

  it('that becomes longer than is stored, or has more pictures than are encoded', async () => {
    const limits = videos.worker.get(VideoLimits);
    const { outputBytes, frames } = limits;
    limits.outputBytes = 4_000;
    expect(await problemOf(await samples.mp4())).toBe(videoNotPrepared);
    limits.outputBytes = outputBytes;
    limits.frames = 5;
    expect(await problemOf(await samples.ogg(), 'video/ogg')).toBe(videoNotPrepared);
    limits.frames = frames;
  });

  it('with subtitles and attachments leaves them behind', async () => {
    const { id, status, reason } = await videos.prepared({
      bytes: await samples.attached(),
      type: 'video/webm',
    });
    expect(reason).toBe('');
    const file = await videos.file(id, 'video');
    expect([status, (await samples.probe(file)).streams.length]).toEqual(['ready', 1]);
    expect(file.length).toBeLessThan(200_000);
    expect(file.includes('SUBTITLE')).toBe(false);
  });
});
