import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IMAGE, VALIDATION_MESSAGES, VIDEO } from '@pulso/contracts/limits';
import { Image as ImageMessage, Video as VideoMessage } from '@pulso/contracts/media/v1/media';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MediaClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { addressOf } from '../rate-limit/address-key.js';
import { required } from '../user-ref/to-user-ref.js';
import { type Image, imageSchema } from './image.dto.js';
import { ForwardUpload } from './forward-upload.js';
import { MediaBytesClient } from './media-bytes-client.js';
import { toUploadedImage } from './to-image.js';
import { toOwnVideo } from './to-video.js';
import { UploadVolume } from './upload-volume.js';
import { mediaSchema, ownVideoSchema, type UploadedVideo } from './video.dto.js';

const NOT_FOUND = 'Media not found';
/** Beside the file: boundaries, names and the other fields. */
const FORM_BYTES = 64 * 1024;
/** Forms are at most so large; media counts the file itself. */
const IMAGE_UPLOAD = {
  maxBytes: IMAGE.maxBytes + FORM_BYTES,
  tooLarge: VALIDATION_MESSAGES.imageTooLarge as string,
};
const VIDEO_UPLOAD = {
  maxBytes: VIDEO.oneRequestBytes + FORM_BYTES,
  tooLarge: `A video of more than ${VIDEO.oneRequestBytes} bytes is sent to /api/uploads.`,
};

const imageForm = {
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

const videoForm = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      maxLength: VIDEO.oneRequestBytes,
      description: 'MP4, WebM or Ogg, with its name and its type',
    },
  },
};

@ApiTags('Media')
@Controller('api/media')
export class MediaController {
  constructor(
    private readonly media: MediaClient,
    private readonly bytes: MediaBytesClient,
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
    form: imageForm,
    upload: IMAGE_UPLOAD,
    status: 201,
    answer: imageSchema,
    errors: ['quota-exceeded', 'unsupported-media', 'request-timeout'],
  })
  async upload(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Image> {
    const image = await this.take(request, reply, '/images', IMAGE_UPLOAD, ImageMessage.decode);
    const answer = toUploadedImage(image);
    this.volume.add(addressOf(request), answer.metadata.compressedSize);
    return answer;
  }

  @Post('videos')
  @Endpoint({
    kind: 'stream',
    summary: 'Upload a small video for a post',
    description:
      'Of at most 256 KiB; a larger one goes to `POST /api/uploads`. What is not attached to a post within 24 hours is deleted.',
    access: 'private',
    limit: 'video-uploads-account',
    form: videoForm,
    upload: VIDEO_UPLOAD,
    status: 201,
    answer: ownVideoSchema,
    errors: ['quota-exceeded', 'unsupported-media', 'request-timeout'],
  })
  async uploadVideo(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadedVideo> {
    const video = await this.take(request, reply, '/videos', VIDEO_UPLOAD, VideoMessage.decode);
    const answer = toOwnVideo(video);
    this.volume.add(addressOf(request), answer.metadata.size);
    return answer;
  }

  @Get(':id')
  @Endpoint({
    summary: 'An image or a video of the caller',
    description:
      'The addresses hold for 5 minutes, those of a video for twice its length where that is more.',
    access: 'private',
    conditional: true,
    status: 200,
    answer: mediaSchema,
    errors: ['not-found'],
  })
  async get(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const { image, video } = await this.media.getAsset({ id: pathId(id, NOT_FOUND) });
    return conditional(request, reply, video ? toOwnVideo(video) : toUploadedImage(required(image, 'image')));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete an image or a video that no post and no profile has',
    access: 'private',
    limit: 'image-deletions-account',
    bodyless: true,
    status: 204,
    errors: ['not-found', 'media-attached'],
  })
  async delete(@Param('id') id: string): Promise<void> {
    await this.media.deleteAsset({ id: pathId(id, NOT_FOUND) });
  }

  /** Hands a form on, and decodes what media made of it. */
  private take<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    { maxBytes, tooLarge }: { maxBytes: number; tooLarge: string },
    decode: (answer: Uint8Array) => T,
  ): Promise<T> {
    this.volume.admit(addressOf(request));
    const { contentType, contentLength } = request.upload!;
    return this.forwardUpload.execute(request, reply, {
      ...{ method: 'POST', path, maxBytes },
      headers: { 'content-type': contentType, 'content-length': contentLength },
      tooLarge: () => new DomainError('file-too-large', tooLarge),
      ask: async (asked) => {
        const { headers, body } = await this.bytes.ask(asked);
        return { headers, answer: decode(new Uint8Array(await body.arrayBuffer())) };
      },
    });
  }
}
