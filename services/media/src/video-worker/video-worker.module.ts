import { Module } from '@nestjs/common';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { Readiness } from '@pulso/platform/service/readiness';
import { openObjects } from '../object/open-objects.js';
import { AssetRepository } from '../store/asset.repository.js';
import { MediaRows } from '../store/media-rows.js';
import { StoredPieces } from '../store/stored-pieces.js';
import { StoredVideos } from '../store/stored-videos.js';
import { VideoRepository } from '../store/video.repository.js';
import { MakeVideo } from './make-video.js';
import { PrepareVideo } from './prepare-video.js';
import { ProbeVideo } from './probe-video.js';
import { VideoLimits } from './video-limits.js';
import { findPrograms, VideoPrograms } from './video-programs.js';
import { VideoSettings } from './video-settings.js';
import { VideoThumbnail } from './video-thumbnail.js';
import { VideoTools } from './video-tools.js';
import { VideoWork } from './video-work.js';

@Module({
  providers: [
    ...[MediaRows, AssetRepository, VideoRepository, StoredVideos, StoredPieces],
    ...[VideoLimits, VideoTools, ProbeVideo, PrepareVideo, VideoThumbnail, MakeVideo, VideoWork],
    {
      provide: VideoPrograms,
      useFactory: (settings: VideoSettings) => findPrograms(settings),
      inject: [VideoSettings],
    },
    {
      provide: ObjectStore,
      useFactory: async (settings: VideoSettings, readiness: Readiness) => {
        const objects = await openObjects(settings);
        readiness.add('objects', () => objects.ping());
        return objects;
      },
      inject: [VideoSettings, Readiness],
    },
  ],
})
export class VideoWorkerModule {}
