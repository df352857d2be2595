import { FileObjects } from '@pulso/platform/objects/file-objects';
import type { ObjectStore } from '@pulso/platform/objects/object-store';
import type { S3Location } from '@pulso/platform/objects/s3-location';
import { connectOrExplain } from '@pulso/platform/process/engine-address';
import { StartError } from '@pulso/platform/process/start-error';
import type { MediaSettings } from '../settings.js';
import type { BucketSettings } from './object-settings.js';

/** The client is loaded only where it is used. */
async function bucketAt(location: S3Location) {
  const { S3Objects } = await import('@pulso/platform/objects/s3-objects');
  return new S3Objects(location);
}

/** Makes the directory where it is missing. Rejects with StartError if that fails, or if the bucket cannot be reached or is missing. */
export async function openObjects({
  MEDIA_OBJECTS_DIR,
  MEDIA_OBJECTS_URL: location,
}: Pick<MediaSettings, 'MEDIA_OBJECTS_DIR' | 'MEDIA_OBJECTS_URL'>): Promise<ObjectStore> {
  if (!location) return openDirectory(MEDIA_OBJECTS_DIR!);
  const objects = await bucketAt(location);
  await connectOrExplain('MEDIA_OBJECTS_URL', location.url, () => objects.ping());
  return objects;
}

async function openDirectory(directory: string): Promise<ObjectStore> {
  const objects = new FileObjects(directory);
  await objects.makeDirectory().catch((error: Error) => {
    throw new StartError(`MEDIA_OBJECTS_DIR: ${directory} cannot be used: ${error.message}`, {
      cause: error,
    });
  });
  return objects;
}

/** Makes the bucket where it is missing, for `migrate`. Rejects with StartError. */
export async function makeBucket({ MEDIA_OBJECTS_URL: location }: BucketSettings): Promise<string[]> {
  if (!location) return [];
  const objects = await bucketAt(location);
  const made = await connectOrExplain('MEDIA_OBJECTS_URL', location.url, () => objects.createBucket());
  return [`the bucket ${location.bucket} ${made ? 'was made' : 'is there'}.`];
}
