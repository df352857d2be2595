import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aVideoFile } from '../../../test/a-video.js';
import { fakeVideoElement } from '../../../test/fake-video-element.js';
import type { FakeVideoElement } from '../../../test/fake-video-element.js';
import { ProbeError, probeVideo } from './probe-video.js';

let element: FakeVideoElement;
beforeEach(() => {
  element = fakeVideoElement();
});
afterEach(() => element.restore());

// Rule: MEDIA-8
describe('a video that was chosen', () => {
  it('is read by the page: how long and large it is, and its picture at 1 s', async () => {
    const { poster, ...facts } = await probeVideo(aVideoFile());
    expect(facts).toEqual({ duration: 12, width: 1280, height: 720 });
    expect(poster.type).toBe('image/jpeg');
    expect(element.takenAt).toEqual([1]);
  });

  it('has the picture of its beginning where it is shorter, and no length where it tells none', async () => {
    element.as('whole', 0.6);
    await probeVideo(aVideoFile());
    element.as('whole', Infinity);
    expect(await probeVideo(aVideoFile())).toMatchObject({ duration: 0 });
    expect(element.takenAt).toEqual([0, 0]);
  });

  it.each([
    ['broken', 'metadata'],
    ['blind', 'thumbnail'],
  ] as const)('that is %s says what is missing', async (kind, fault) => {
    element.as(kind);
    const failure: unknown = await probeVideo(aVideoFile()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProbeError);
    expect(failure).toMatchObject({ fault });
  });
});
