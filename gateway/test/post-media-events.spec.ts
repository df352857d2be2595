import { VideoStatus } from '@pulso/contracts/media/v1/media';
import { currentContext } from '@pulso/platform/context/request-context';
import { notFound, unavailable } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { mediaChannel, subscribersChannel } from '@pulso/platform/signals/signals';
import { EventReader } from './support/event-reader.js';
import { OTHER_ID, POST_ID, USER_ID } from './support/fake-clients.js';
import { anImage, aVideo, MEDIA_ID } from './support/fake-media.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let signals: InProcessSignals;
const open: EventReader[] = [];

beforeEach(async () => {
  signals = new InProcessSignals();
  gateway = await startTestGateway({ signals });
  gateway.media.getAsset = () => Promise.resolve({ video: aVideo() });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((reader) => reader.cancel()));
  await gateway?.close();
});

async function stream(): Promise<EventReader> {
  const reader = new EventReader(await gateway.call('GET', '/api/events', { token: gateway.token }));
  open.push(reader);
  expect(await reader.next()).toMatchObject({ event: 'badges' });
  return reader;
}

const change = (id = MEDIA_ID) => signals.send(mediaChannel(USER_ID, id));
const asked = () =>
  gateway.calls
    .filter(({ method }) => method === 'getAsset')
    .map(({ request }) => (request as { id: string }).id);

// Rule: NOTIF-8, NOTIF-12
describe('a stream of events', () => {
  it('tells each page of the owner what has become of a video, and of which post it is', async () => {
    const readers = [await stream(), await stream()];
    const { facts, url, thumbnail } = aVideo();
    change();
    const metadata = {
      ...{ duration: 12.5, size: 7_340_032, name: 'start.mp4', type: 'video/mp4' },
      ...{ width: 1080, height: 1920 },
    };
    const ready = { type: 'upload', id: MEDIA_ID, status: 'ready', problem: null, url, thumbnail, metadata };
    for (const reader of readers) {
      expect(await reader.next()).toEqual({ event: 'post-media', data: { postId: null, media: ready } });
    }
    expect(asked()).toEqual([MEDIA_ID]);
    const failed = { ...facts!, status: VideoStatus.VIDEO_STATUS_FAILED, problem: 'Broken' };
    gateway.media.getAsset = () =>
      Promise.resolve({ video: aVideo({ facts: failed, url: '', thumbnail: '', postId: POST_ID }) });
    change();
    expect(await readers[0]!.next()).toMatchObject({
      event: 'post-media',
      data: { postId: POST_ID, media: { status: 'failed', problem: 'Broken', url: '', thumbnail: '' } },
    });
  });

  // Rule: HTTP-33
  it('says what is to be waited for, as media does: with the event’s id the post is read as it is then', async () => {
    const reader = await stream();
    const written = { topic: 'pulso.media.video.v1', key: MEDIA_ID, version: 7 };
    gateway.media.getAsset = () => {
      currentContext()!.wrote.push(written);
      return Promise.resolve({ video: aVideo({ postId: POST_ID }) });
    };
    change();
    const { id } = (await reader.next())!;
    await gateway.call('GET', `/api/posts/${POST_ID}`, { headers: { 'pulso-after': id! } });
    const { context } = gateway.calls.findLast(({ method }) => method === 'getPost')!;
    expect(context!.after).toMatchObject([written]);
  });

  it('tells of an image in the same way', async () => {
    const reader = await stream();
    gateway.media.getAsset = () => Promise.resolve({ image: anImage() });
    change();
    expect(await reader.next()).toMatchObject({
      event: 'post-media',
      data: { postId: null, media: { id: MEDIA_ID, blurhash: anImage().facts!.blurhash } },
    });
  });

  it('tells nothing of others’ media, nor of what there is no more', async () => {
    const reader = await stream();
    const gone = newId();
    gateway.media.getAsset = ({ id }) =>
      id === gone ? Promise.reject(notFound()) : Promise.resolve({ video: aVideo() });
    signals.send(mediaChannel(OTHER_ID, MEDIA_ID));
    signals.send('media:');
    signals.send(`media:${USER_ID}`);
    change(gone);
    change();
    expect(await reader.next()).toMatchObject({ event: 'post-media', data: { media: { id: MEDIA_ID } } });
    expect(asked()).toEqual([gone, MEDIA_ID]);
  });

  it('ends when media does not answer', async () => {
    const reader = await stream();
    gateway.media.getAsset = () => Promise.reject(unavailable());
    change();
    expect(await reader.rest()).toEqual([]);
  });

  // Rule: NOTIF-13
  it('tells once of changes that come within the pace', async () => {
    await gateway.close();
    gateway = await startTestGateway({ signals, readEveryMs: 600_000 });
    gateway.media.getAsset = () => Promise.resolve({ video: aVideo() });
    const reader = await stream();
    for (let count = 0; count < 20; count += 1) change();
    expect(await reader.next()).toMatchObject({ event: 'post-media' });
    signals.send(subscribersChannel(USER_ID));
    expect(await reader.next()).toMatchObject({ event: 'subscribers' });
    expect(asked()).toEqual([MEDIA_ID]);
  });

  it('tells of any number of media', async () => {
    const reader = await stream();
    gateway.media.getAsset = ({ id }) =>
      Promise.resolve({ video: aVideo({ facts: { ...aVideo().facts!, id } }) });
    const ids = Array.from({ length: 50 }, () => newId());
    for (const id of ids) change(id);
    const told: string[] = [];
    while (told.length < ids.length) {
      told.push(((await reader.next())!.data as { media: { id: string } }).media.id);
    }
    expect(told).toEqual(ids);
  });
});
