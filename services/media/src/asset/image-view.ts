import { Injectable } from '@nestjs/common';
import { type Image, Purpose } from '@pulso/contracts/media/v1/media';
import { UrlSigner } from '@pulso/platform/auth/signed-url';
import { type Asset, OWN_ADDRESS_MS, pathOf, type Variant } from '../store/asset.js';

/** An upload as its owner sees it. */
@Injectable()
export class ImageView {
  constructor(private readonly signer: UrlSigner) {}

  of({ facts, purpose, epoch, attachedTo }: Asset): Image {
    const signed = (variant: Variant) =>
      this.signer.sign(pathOf(facts.id, variant), { epoch, lifeMs: OWN_ADDRESS_MS });
    if (purpose === 'avatar') {
      // Others see it only once the profile has it.
      const url = attachedTo === null ? signed('avatar') : pathOf(facts.id, 'avatar');
      return { facts, purpose: Purpose.PURPOSE_AVATAR, url, thumbnail: url };
    }
    return { facts, purpose: Purpose.PURPOSE_POST, url: signed('full'), thumbnail: signed('thumbnail') };
  }
}
