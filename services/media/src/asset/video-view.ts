import { Injectable } from '@nestjs/common';
import type { Video as VideoMessage } from '@pulso/contracts/media/v1/media';
import { videoTopic } from '@pulso/contracts/topics/media';
import { UrlSigner } from '@pulso/platform/auth/signed-url';
import { Commits } from '@pulso/platform/events/outbox/commits';
import { assetNotFound } from '../store/asset-errors.js';
import { type Asset, OWN_ADDRESS_MS, pathOf, type Variant } from '../store/asset.js';
import { StoredVideos } from '../store/stored-videos.js';
import { toVideoFacts, toVideoState } from '../store/video.entity.js';

/** A video as its owner sees it. */
@Injectable()
export class VideoView {
  constructor(
    private readonly videos: StoredVideos,
    private readonly signer: UrlSigner,
    private readonly commits: Commits,
  ) {}

  /**
   * The answer carries the video's consistency token while it is new, so that a post which is read next tells the same of it. Throws
   * `not-found` for one that was removed meanwhile.
   */
  async of({
    facts: { id },
    epoch,
    attachedTo,
  }: Pick<Asset, 'facts' | 'epoch' | 'attachedTo'>): Promise<VideoMessage> {
    const video = await this.videos.find(id);
    if (!video) throw assetNotFound();
    this.commits.recordUnchanged(videoTopic, toVideoState(video));
    const lifeMs = Math.max(OWN_ADDRESS_MS, 2 * video.durationMs);
    const signed = (variant: Variant) =>
      video.status === 'ready' ? this.signer.sign(pathOf(id, variant), { epoch, lifeMs }) : '';
    return {
      facts: toVideoFacts(video),
      url: signed('video'),
      thumbnail: signed('thumbnail'),
      postId: attachedTo ?? '',
    };
  }
}
