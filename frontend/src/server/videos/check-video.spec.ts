import { describe, expect, it } from '@jest/globals';
import { checkVideo, VIDEO_BYTES, videoType } from './check-video.js';

// Rule: MEDIA-8
describe('a chosen file', () => {
  it.each(['video/mp4', 'video/webm', 'video/ogg'])('of %s may be sent', (type) =>
    expect(checkVideo({ type, size: VIDEO_BYTES, name: 'run' })).toBeUndefined(),
  );

  it('of which the system knows no type is judged by its name', () => {
    expect(checkVideo({ type: '', size: 1, name: 'Run.WEBM' })).toBeUndefined();
    expect(videoType({ type: '', name: 'run.ogv' })).toBe('video/ogg');
    expect(checkVideo({ type: '', size: 1, name: 'run' })).toBe('kind');
  });

  it('of another kind, or larger than 50 MB, may not', () => {
    expect(checkVideo({ type: 'video/quicktime', size: 1, name: 'run.mp4' })).toBe('kind');
    expect(checkVideo({ type: 'video/mp4', size: 52_428_801, name: 'run.mp4' })).toBe('size');
  });
});
