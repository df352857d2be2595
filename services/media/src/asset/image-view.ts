import { Injectable } from '@nestjs/common';
import { type Image, Purpose } from '@pulso/contracts/media/v1/media';
import { UrlSigner } from '@pulso/platform/auth/signed-url';
import { type Asset, OWN_ADDRESS_MS, pathOf, type Variant } from './asset.js';

/** What an owner sees of an upload. */
@Injectable()
export class ImageView {
  constructor(private readonly signer: UrlSigner) {}

  of({ facts, purpose, epoch }: Asset): Image {
    if (purpose === 'avatar') {
      const url = pathOf(facts.id, 'avatar');
      return { facts, purpose: Purpose.PURPOSE_AVATAR, url, thumbnail: url };
    }
    const signed = (variant: Variant) =>
      this.signer.sign(pathOf(facts.id, variant), { epoch, lifeMs: OWN_ADDRESS_MS });
    return { facts, purpose: Purpose.PURPOSE_POST, url: signed('full'), thumbnail: signed('thumbnail') };
  }
}
