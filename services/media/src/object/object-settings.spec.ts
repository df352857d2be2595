import { loadConfig } from '@pulso/platform/process/load-config';
import { settingsFrom } from '@pulso/platform/process/settings';
import { z } from 'zod';
import { MediaSettings } from '../settings.js';
import { objectsShape } from './object-settings.js';
import { makeBucket, openObjects } from './open-objects.js';

const DIR = { MEDIA_OBJECTS_DIR: '/files' };
const URL = { MEDIA_OBJECTS_URL: 'https://key:secret@s3.example.org/pulso' };

/** As a process reads them: an empty text counts as unset. */
const read = (env: Record<string, string>) =>
  settingsFrom(MediaSettings, loadConfig(z.object(objectsShape), env)) as MediaSettings;

describe("media's settings", () => {
  it('name a directory or a bucket', () => {
    expect(read(DIR)).toMatchObject(DIR);
    expect(read({ ...URL, MEDIA_OBJECTS_DIR: '' }).MEDIA_OBJECTS_URL).toMatchObject({ bucket: 'pulso' });
  });

  it.each([
    ['none', {}, 'MEDIA_OBJECTS_URL: is not set. Name a bucket, or a directory by MEDIA_OBJECTS_DIR.'],
    ['both', { ...DIR, ...URL }, 'MEDIA_OBJECTS_DIR, MEDIA_OBJECTS_URL: both are set.'],
    [
      'a bucket without a secret',
      { MEDIA_OBJECTS_URL: 'https://key@s3.example.org/pulso' },
      'MEDIA_OBJECTS_URL: must name a key and a secret',
    ],
  ])('are refused where they name %s', (_what, env, message) => {
    expect(() => read(env)).toThrow(message);
  });
});

describe('a bucket that cannot be reached', () => {
  const env = { MEDIA_OBJECTS_URL: 'http://key:hush-hush@127.0.0.1:1/pulso' };
  const line =
    /^MEDIA_OBJECTS_URL: http:\/\/key:\*\*\*@127\.0\.0\.1:1\/pulso cannot be used: .*ECONNREFUSED[^\n]*$/;

  it.each([
    ['the start of media', openObjects],
    ['migrate', makeBucket],
  ])('ends %s with a line that names the setting, without its secret', async (_what, open) => {
    await expect(open(read(env))).rejects.toThrow(line);
  });

  it('is no matter of migrate where files are in a directory', async () => {
    expect(await makeBucket(read(DIR))).toEqual([]);
  });
});
