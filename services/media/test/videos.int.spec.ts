import sharp from 'sharp';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { videoTopic } from '@pulso/contracts/topics/media';
import { mediaChannel } from '@pulso/platform/signals/signals';
import { STORAGE_QUOTA } from '../src/store/asset.js';
import { TestMedia } from './start.js';
import { timeless, turned } from './support/mp4-boxes.js';
import { SampleVideos } from './support/sample-videos.js';
import { TestVideos } from './support/test-videos.js';

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

const codecsOf = async (id: string) => {
  const { streams } = await samples.probe(await videos.file(id, 'video'));
  return streams.map(({ codec_name: codec }) => codec);
};

// Rule: MEDIA-8, MEDIA-11, MEDIA-12
describe('an uploaded video', () => {
  it('is ready with its facts, its event, a signal and a thumbnail; its pieces are gone', async () => {
    const ownerId = media.newId();
    const bytes = await samples.mp4();
    const id = await videos.uploaded({ bytes, ownerId });
    expect(await videos.row(id)).toMatchObject({ status: 'processing', bytes: bytes.length, durationMs: 0 });
    await videos.work();
    const row = await videos.row(id);
    expect(row).toMatchObject({ status: 'ready', problem: '', dueAt: null, type: 'video/mp4' });
    expect(row).toMatchObject({ width: 64, height: 64 });
    expect(Math.abs(row.durationMs - 2000)).toBeLessThan(100);
    const file = await videos.file(id, 'video');
    expect([row.bytes, await videos.countedBytes(id), await media.used(ownerId)]).toEqual(
      Array.from({ length: 3 }, () => file.length),
    );
    expect(videos.heard).toContain(mediaChannel(ownerId, id));
    expect((await videos.objectsOf(id)).sort()).toEqual(
      ['thumbnail', 'video'].map((variant) => `videos/${id.slice(-2)}/${id}-${variant}`),
    );
    await media.service.drainEvents();
    const state = media.service.deliveredState(videoTopic, id);
    expect(state?.facts).toMatchObject({ id, version: row.version, bytes: row.bytes, width: 64 });
  });

  it('begins with its index, so that it plays before it is whole', async () => {
    const before = await samples.mp4();
    const order = (file: Buffer) => file.indexOf('moov') < file.indexOf('mdat');
    expect(order(before)).toBe(false);
    const { id } = await videos.prepared({ bytes: before });
    expect(order(await videos.file(id, 'video'))).toBe(true);
    expect(await codecsOf(id)).toEqual(['h264', 'aac']);
  });

  it('has the picture at 1 s as its thumbnail, or the first one of a shorter video', async () => {
    const { id } = await videos.prepared({ bytes: await samples.colours(2) });
    expect(await colourOf(await videos.file(id, 'thumbnail'))).toBe('blue');
    const short = await videos.prepared({ bytes: await samples.colours(0.9) });
    expect(await colourOf(await videos.file(short.id, 'thumbnail'))).toBe('red');
    const large = await videos.prepared({ bytes: await samples.large() });
    const thumbnail = await sharp(await videos.file(large.id, 'thumbnail')).metadata();
    expect(thumbnail).toMatchObject({ format: 'jpeg', width: 1280, height: 640 });
  });

  it('keeps its pictures and its sound where browsers play them', async () => {
    const webm = await videos.prepared({ bytes: await samples.webm(), type: 'video/webm' });
    expect(webm).toMatchObject({ status: 'ready', type: 'video/webm', width: 64, height: 64 });
    expect(await codecsOf(webm.id)).toEqual(['vp9', 'opus']);
  });

  it('gets a length where its recorder has written none', async () => {
    const bytes = await samples.webm(2, true);
    expect((await samples.probe(bytes)).format.duration).toBeUndefined();
    const { durationMs } = await videos.prepared({ bytes, type: 'video/webm' });
    expect(Math.abs(durationMs - 2000)).toBeLessThan(200);
  });

  it('is encoded anew where they do not: H.264 of 8 bits', async () => {
    const hevc = await videos.prepared({ bytes: await samples.hevc() });
    expect(hevc).toMatchObject({ status: 'ready', type: 'video/mp4', width: 128, height: 128 });
    const [stream] = (await samples.probe(await videos.file(hevc.id, 'video'))).streams;
    expect(stream).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p' });
    const ogg = await videos.prepared({ bytes: await samples.ogg(), type: 'video/ogg' });
    expect(ogg).toMatchObject({ status: 'ready', type: 'video/mp4' });
    expect(await codecsOf(ogg.id)).toEqual(['h264']);
  });

  it('of a phone, which is QuickTime named .mp4, keeps its pictures and gets sound that plays', async () => {
    const { id, status } = await videos.prepared({ bytes: await samples.mov() });
    expect([status, await codecsOf(id)]).toEqual(['ready', ['h264', 'aac']]);
  });

  it('has the sides and the thumbnail that are shown, after its rotation', async () => {
    const bytes = turned(await samples.wide());
    const { id, width, height } = await videos.prepared({ bytes });
    expect([width, height]).toEqual([64, 128]);
    expect(await sharp(await videos.file(id, 'thumbnail')).metadata()).toMatchObject({
      width: 64,
      height: 128,
    });
    const encoded = await videos.prepared({ bytes: turned(await samples.old()) });
    expect([encoded.width, encoded.height, await codecsOf(encoded.id)]).toEqual([64, 128, ['h264']]);
  });

  it('keeps uneven pauses between its pictures', async () => {
    const { status, durationMs } = await videos.prepared({ bytes: await samples.uneven() });
    expect(status).toBe('ready');
    expect(durationMs).toBeGreaterThan(3000);
  });

  it('that takes no time fails', async () => {
    const failed = await videos.prepared({ bytes: timeless(await samples.silent()) });
    expect(failed).toMatchObject({ status: 'failed', problem: VALIDATION_MESSAGES.videoMetadata });
  });

  it('that has failed counts nothing and keeps nothing', async () => {
    const ownerId = media.newId();
    const bytes = Buffer.from('no video');
    const { id, status, problem, bytes: counted, dueAt } = await videos.prepared({ bytes, ownerId });
    expect([status, problem]).toEqual(['failed', VALIDATION_MESSAGES.videoKind]);
    expect([counted, await media.used(ownerId), dueAt]).toEqual([0, 0, null]);
    expect(await videos.objectsOf(id)).toEqual([]);
    expect(videos.heard).toContain(mediaChannel(ownerId, id));
  });

  it('that does not fit any more when it is ready fails with the text of the quota', async () => {
    const ownerId = media.newId();
    const bytes = await samples.ogg();
    const id = await videos.uploaded({ bytes, type: 'video/ogg', ownerId });
    await media.service.tamper('UPDATE assets SET bytes = 1 WHERE id = $1', [id]);
    const full = await videos.uploaded({ bytes: Buffer.from('x'), ownerId });
    await media.service.tamper('UPDATE assets SET bytes = $2 WHERE id = $1', [full, STORAGE_QUOTA - 1]);
    await videos.work();
    expect(await videos.row(id)).toMatchObject({
      status: 'failed',
      problem: VALIDATION_MESSAGES.quotaExceeded,
    });
    expect(await videos.objectsOf(id)).toEqual([]);
  });
});

// Rule: MEDIA-24
describe('a stored video', () => {
  it('says nothing of where, when and by whom it was made', async () => {
    const bytes = await samples.talkative();
    expect(bytes.toString('latin1')).toMatch(/secret-title[^]*secret-comment|secret-comment[^]*secret-title/);
    const { id } = await videos.prepared({ bytes });
    const file = await videos.file(id, 'video');
    expect(file.toString('latin1')).not.toMatch(/secret|48\.1|Lavf/);
    expect((await samples.probe(file)).chapters).toEqual([]);
  });

  it('has one stream of pictures and one of sound, whatever the upload had', async () => {
    const { id } = await videos.prepared({ bytes: await samples.manySounds() });
    expect(await codecsOf(id)).toEqual(['h264', 'aac']);
    const failed = await videos.prepared({ bytes: await samples.manyPictures() });
    expect(failed).toMatchObject({ status: 'failed', problem: VALIDATION_MESSAGES.videoNotPrepared });
  });
});

async function colourOf(jpeg: Buffer): Promise<string> {
  const { dominant } = await sharp(jpeg).stats();
  return dominant.r > dominant.b ? 'red' : 'blue';
}
