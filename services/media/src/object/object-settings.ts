import { ConfigError } from '@pulso/platform/process/load-config';
import { secret } from '@pulso/platform/process/secret';
import { settings } from '@pulso/platform/process/settings';
import { s3Location } from '@pulso/platform/objects/s3-location';
import { z } from 'zod';

/** Where the files are: exactly one of the two. */
export const objectsShape = {
  /** A directory that all replicas share. */
  MEDIA_OBJECTS_DIR: z.string().optional(),
  /** A bucket. */
  MEDIA_OBJECTS_URL: secret(s3Location.optional()),
};

/** What `migrate` reads of it: a directory is made by whoever uses it. */
export class BucketSettings extends settings({ MEDIA_OBJECTS_URL: objectsShape.MEDIA_OBJECTS_URL }) {}

/** Throws ConfigError. */
export function requireOneStore({ MEDIA_OBJECTS_DIR, MEDIA_OBJECTS_URL }: Readonly<Record<string, unknown>>) {
  if (MEDIA_OBJECTS_DIR !== undefined && MEDIA_OBJECTS_URL !== undefined)
    throw new ConfigError(
      'Wrong settings. MEDIA_OBJECTS_DIR, MEDIA_OBJECTS_URL: both are set. Files are in a directory or in a bucket.',
    );
  if (MEDIA_OBJECTS_DIR === undefined && MEDIA_OBJECTS_URL === undefined)
    throw new ConfigError(
      'Wrong settings. MEDIA_OBJECTS_URL: is not set. Name a bucket, or a directory by MEDIA_OBJECTS_DIR.',
    );
}
