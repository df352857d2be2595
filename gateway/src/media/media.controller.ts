import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IMAGE, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MediaClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { addressOf } from '../rate-limit/address-key.js';
import { required } from '../user-ref/to-user-ref.js';
import { type Image, imageSchema } from './image.dto.js';
import { toUploadedImage } from './to-image.js';
import { IMAGE_FORM_BYTES, ForwardUpload } from './forward-upload.js';
import { UploadVolume } from './upload-volume.js';

const NOT_FOUND = 'Media not found';

const form = {
  type: 'object',
  required: ['purpose', 'file'],
  properties: {
    purpose: { type: 'string', enum: ['post', 'avatar'] },
    originalName: {
      type: 'string',
      maxLength: IMAGE.originalNameMax,
      description: 'The name of the file before it was compressed; only shown',
    },
    originalSize: {
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Its size in bytes; only shown',
    },
    file: {
      type: 'string',
      format: 'binary',
      maxLength: IMAGE.maxBytes,
      description: 'JPEG, PNG, WebP or GIF, of which the first picture is taken; the last field',
    },
  },
};

@ApiTags('Media')
@Controller('api/media')
export class MediaController {
  constructor(
    private readonly media: MediaClient,
    private readonly forwardUpload: ForwardUpload,
    private readonly volume: UploadVolume,
  ) {}

  @Post('images')
  @Endpoint({
    kind: 'stream',
    summary: 'Upload an image for a post or the profile',
    description:
      'What is not attached to a post or the profile within 24 hours is deleted. `alt` and `caption` come with the post.',
    access: 'private',
    limit: 'uploads-account',
    form,
    upload: { maxBytes: IMAGE_FORM_BYTES, tooLarge: VALIDATION_MESSAGES.imageTooLarge },
    status: 201,
    answer: imageSchema,
    errors: ['quota-exceeded', 'unsupported-media', 'request-timeout'],
  })
  async upload(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Image> {
    const address = addressOf(request);
    this.volume.admit(address);
    const image = await this.forwardUpload.execute(request, reply);
    this.volume.add(address, image.metadata.compressedSize);
    return image;
  }

  @Get(':id')
  @Endpoint({
    summary: 'An image of the caller',
    description: 'The addresses hold for 5 minutes.',
    access: 'private',
    conditional: true,
    status: 200,
    answer: imageSchema,
    errors: ['not-found'],
  })
  async get(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const { image } = await this.media.getAsset({ id: pathId(id, NOT_FOUND) });
    return conditional(request, reply, toUploadedImage(required(image, 'image')));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete an image that no post and no profile has',
    access: 'private',
    limit: 'image-deletions-account',
    bodyless: true,
    status: 204,
    errors: ['not-found', 'media-attached'],
  })
  async delete(@Param('id') id: string): Promise<void> {
    await this.media.deleteAsset({ id: pathId(id, NOT_FOUND) });
  }
}
