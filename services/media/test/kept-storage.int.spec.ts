import { Image } from '@pulso/contracts/media/v1/media';
import { postTopic } from '@pulso/contracts/topics/posts';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { decodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import type { DirectBus } from '@pulso/platform/testing/direct-bus';
import { until } from '@pulso/platform/testing/until';
import { withReplica } from '@pulso/platform/testing/with-replica';
import { DAY_MS, TestMedia } from './start.js';
import { aPicture, formOf } from './support/upload-form.js';

describe('the kept storage of users', () => {
  let media: TestMedia<DirectBus>;
  let ana: string;
  const replicated = withReplica(async (bus) => (media = await TestMedia.startOn(bus)).service);
  beforeEach(() => (ana = media.newId()));
  afterAll(() => media?.stop());

  const usedThere = async (after: ConsistencyToken[] = []) =>
    (await replicated.ask(ana, (client) => client.getStorage({}), { by: replicated.other.client, after }))
      .bytesUsed;
  const asked = (read: () => Promise<unknown>) => replicated.statements('used-storage', read);
  /** With the tokens that the gateway gets. */
  const upload = async () => {
    const response = await media.post(ana, formOf({ file: await aPicture() }));
    const image = Image.decode(new Uint8Array(await response.arrayBuffer()));
    return {
      id: image.facts!.id,
      bytes: image.facts!.bytes,
      wrote: decodeTokens(response.headers.get(WROTE)!),
    };
  };
  const isPosted = (postId: string, mediaIds: string[], version: number, deleted = false) =>
    media.postIs(postId, ana, version, { mediaIds, deleted });

  it('costs one statement, and none the second time', async () => {
    expect(await asked(() => media.used(ana))).toEqual(['used-storage']);
    expect(await asked(() => media.used(ana))).toEqual([]);
  });

  it('is read anew after each change of it', async () => {
    const sums: number[] = [];
    const look = async () => void sums.push(await media.used(ana));
    await look();
    const [first, second, third] = [await upload(), await upload(), await upload()];
    await look();
    await media.delete(ana, first.id);
    await look();
    const post = media.newId();
    await media.claim(ana, [second.id], post);
    await isPosted(post, [second.id], 1);
    await look();
    await isPosted(post, [], 2, true);
    await look();
    // Nothing has attached it for a day.
    media.service.clock.advance(2 * DAY_MS);
    await media.remove();
    await look();
    const { bytes } = third;
    expect(sums).toEqual([0, 3 * bytes, 2 * bytes, 2 * bytes, bytes, 0]);
  });

  // Rule: HTTP-3
  it('shows its owner what they did at every replica, also where no signal comes', async () => {
    replicated.loseSignals();
    expect(await usedThere()).toBe(0);
    const first = await upload();
    expect(await usedThere(first.wrote)).toBe(first.bytes);
    const second = await upload();
    expect(await usedThere(second.wrote)).toBe(2 * first.bytes);
    const deleted = await replicated.write(ana, (client) => client.deleteAsset({ id: second.id }));
    expect(await usedThere(deleted)).toBe(first.bytes);
    const post = media.newId();
    await media.claim(ana, [first.id], post);
    media.service.bus.oneReplica = true;
    await isPosted(post, [first.id], 1);
    await usedThere();
    await isPosted(post, [], 2, true);
    expect(await usedThere([{ topic: postTopic.name, key: post, version: 2 }])).toBe(0);
  });

  // Rule: HTTP-3
  it('is at most 1 s old, also where no signal comes', async () => {
    replicated.loseSignals();
    expect(await usedThere()).toBe(0);
    const { bytes } = await upload();
    media.service.clock.advance(999);
    expect(await asked(() => usedThere())).toEqual([]);
    media.service.clock.advance(1);
    expect(await usedThere()).toBe(bytes);
  });

  it('is read anew by other replicas once they hear of a change', async () => {
    expect(await usedThere()).toBe(0);
    const { bytes } = await upload();
    await until(async () => (await usedThere()) === bytes, { what: 'the other replica’s hearing' });
  });
});
