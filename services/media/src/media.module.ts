import { Module } from '@nestjs/common';
import { createTicketSigner, TicketSigner } from '@pulso/platform/auth/signed-ticket';
import { createUrlSigner, UrlSigner } from '@pulso/platform/auth/signed-url';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { Readiness } from '@pulso/platform/service/readiness';
import { Clock } from '@pulso/platform/time/clock';
import { ArchiveMembers } from './archive/archive-members.js';
import { ArchiveView } from './archive/archive-view.js';
import { BuildArchives } from './archive/build-archives.job.js';
import { RemoveArchives } from './archive/remove-archives.job.js';
import { RequestArchive } from './archive/request-archive.js';
import { DeliverArchive } from './delivery/deliver-archive.js';
import { DeliverAsset } from './delivery/deliver-asset.js';
import { SendFile } from './delivery/send-file.js';
import { ImageView } from './asset/image-view.js';
import { VideoView } from './asset/video-view.js';
import { DeleteAsset } from './asset/delete-asset.js';
import { RemoveAssets } from './asset/remove-assets.job.js';
import { ObjectServer } from './object/object-server.js';
import { openObjects } from './object/open-objects.js';
import { PictureLimits } from './picture/picture-limits.js';
import { PictureProcesses } from './picture/picture-processes.js';
import { ListedImages } from './projections/listed-images.js';
import { ReconcileArchives } from './reconciliation/reconcile-archives.js';
import { Reconcile } from './reconciliation/reconcile.js';
import { MediaSettings } from './settings.js';
import { ArchiveRows } from './store/archive-rows.js';
import { ArchiveRepository } from './store/archive.repository.js';
import { ArchivedFiles } from './store/archived-files.js';
import { AssetRepository } from './store/asset.repository.js';
import { AssetsInOrder } from './store/assets-in-order.js';
import { Attachments } from './store/attachments.js';
import { ClaimRepository } from './store/claim.repository.js';
import { EndedArchives } from './store/ended-archives.js';
import { MediaRows } from './store/media-rows.js';
import { StoredPieces } from './store/stored-pieces.js';
import { StoredVideos } from './store/stored-videos.js';
import { UploadRepository } from './store/upload.repository.js';
import { VideoRepository } from './store/video.repository.js';
import { BeginVideo } from './upload/begin-video.js';
import { CostlyPictures } from './upload/costly-pictures.js';
import { DiskRoom } from './upload/disk-room.js';
import { PictureSlots } from './upload/picture-slots.js';
import { ReceivePieces } from './upload/receive-pieces.js';
import { RenderUpload } from './upload/render-upload.js';
import { TusUploads } from './upload/tus-uploads.js';
import { UploadImage } from './upload/upload-image.js';
import { UploadLimits } from './upload/upload-limits.js';
import { UploadVideo } from './upload/upload-video.js';

@Module({
  providers: [
    ...[MediaRows, AssetRepository, ClaimRepository, Attachments, AssetsInOrder, ListedImages],
    ...[VideoRepository, StoredVideos, StoredPieces, UploadRepository],
    ...[ImageView, VideoView, RemoveAssets, Reconcile],
    ...[PictureLimits, PictureProcesses, PictureSlots, CostlyPictures, RenderUpload],
    ...[ObjectServer, UploadLimits, DiskRoom, UploadImage, SendFile, DeliverAsset],
    ...[ArchiveRepository, EndedArchives, ArchivedFiles, ArchiveView, ArchiveMembers],
    ...[ArchiveRows, ReconcileArchives, BuildArchives, RemoveArchives, RequestArchive, DeliverArchive],
    // The deletion answers an rpc; here it ends an upload in pieces.
    ...[BeginVideo, ReceivePieces, UploadVideo, TusUploads, DeleteAsset],
    {
      provide: ObjectStore,
      useFactory: async (settings: MediaSettings, readiness: Readiness) => {
        const objects = await openObjects(settings);
        readiness.add('objects', () => objects.ping());
        return objects;
      },
      inject: [MediaSettings, Readiness],
    },
    {
      provide: TicketSigner,
      useFactory: (settings: MediaSettings, clock: Clock) =>
        createTicketSigner({ keys: settings.MEDIA_TICKET_KEYS, clock }),
      inject: [MediaSettings, Clock],
    },
    {
      provide: UrlSigner,
      useFactory: (settings: MediaSettings, clock: Clock) =>
        createUrlSigner({ secrets: settings.MEDIA_URL_SECRETS, clock }),
      inject: [MediaSettings, Clock],
    },
  ],
})
export class MediaModule {}
