import { settings } from '@pulso/platform/process/settings';
import { z } from 'zod';
import { objectsShape, requireOneStore } from '../object/object-settings.js';

/** The settings of the video worker. */
export class VideoSettings extends settings({
  ...objectsShape,
  /** The programs; unless set, those of PATH, else those of npm's packages. */
  FFMPEG_PATH: z.string().optional(),
  FFPROBE_PATH: z.string().optional(),
}) {
  static override check(values: Readonly<Record<string, unknown>>): void {
    requireOneStore(values);
  }
}
