import { Injectable } from '@nestjs/common';
import { Archive, Image, Video } from '@pulso/contracts/media/v1/media';
import { currentContext } from '@pulso/platform/context/request-context';
import { notFound } from '@pulso/platform/errors/domain-error';
import { encodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import { answerError, type HttpListener } from '@pulso/platform/service/private-listener';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestArchive } from '../archive/request-archive.js';
import { DeliverArchive } from '../delivery/deliver-archive.js';
import { DeliverAsset } from '../delivery/deliver-asset.js';
import { TooSlow } from '../upload/read-parts.js';
import { TusUploads, UPLOADS_PATH } from '../upload/tus-uploads.js';
import { UploadImage } from '../upload/upload-image.js';
import { UploadVideo } from '../upload/upload-video.js';

const ARCHIVE = /^\/media\/[^/]+\/archive-[^/]+$/;
const FILE = /^\/media\/[^/]+\/[^/]+$/;
const TUS_METHODS = new Set(['POST', 'OPTIONS', 'HEAD', 'PATCH', 'DELETE']);

/**
 * Media's private port: takes images and small videos, answers with the protobuf of an Image or a Video and the tokens of the write,
 * as an rpc does, takes videos in pieces by tus, and documents of archives, and gives files.
 */
@Injectable()
export class ObjectServer implements HttpListener {
  constructor(
    private readonly uploadImage: UploadImage,
    private readonly uploadVideo: UploadVideo,
    private readonly uploads: TusUploads,
    private readonly deliver: DeliverAsset,
    private readonly requestArchive: RequestArchive,
    private readonly deliverArchive: DeliverArchive,
  ) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '' } = request;
    const url = new URL(request.url ?? '/', 'http://media');
    const path = url.pathname;
    if (method === 'POST' && path === '/images')
      return this.upload(response, request, async (signal) =>
        Image.encode(await this.uploadImage.execute(request, signal)).finish(),
      );
    if (method === 'POST' && path === '/videos')
      return this.upload(response, request, async (signal) =>
        Video.encode(await this.uploadVideo.execute(request, signal)).finish(),
      );
    if (isOfTus(method, path)) return this.uploads.handle(request, response);
    if (method === 'POST' && path === '/archives') return this.takeDocument(request, response);
    const reads = method === 'GET' || method === 'HEAD';
    if (reads && ARCHIVE.test(path)) return this.deliverArchive.execute(request, response, url);
    if (reads && FILE.test(path)) return this.deliver.execute(request, response, url);
    throw notFound();
  }

  private async takeDocument(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { signal } = currentContext()!.cancellation;
    // The rest of a body that is refused is read on, so that the sender reads the refusal.
    const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    const archive = await this.requestArchive.execute(body, signal);
    response.writeHead(202, { 'content-type': 'application/x-protobuf' });
    response.end(Archive.encode(archive).finish());
  }

  private async upload(
    response: ServerResponse,
    request: IncomingMessage,
    take: (signal: AbortSignal) => Promise<Uint8Array>,
  ): Promise<void> {
    try {
      const { cancellation, wrote } = currentContext()!;
      const answer = await take(cancellation.signal);
      response.writeHead(201, { 'content-type': 'application/x-protobuf', [WROTE]: encodeTokens(wrote) });
      response.end(answer);
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error;
      response.setHeader('connection', 'close');
      answerError(response, 408, {
        code: 'unavailable',
        message: 'The upload is too slow. Please try again.',
      });
      response.once('finish', () => request.destroy());
    }
  }
}

/** POST has no id in its path, as the upload is not there yet; all other methods name one, and OPTIONS may do both. */
function isOfTus(method: string, path: string): boolean {
  if (!TUS_METHODS.has(method)) return false;
  if (path === UPLOADS_PATH) return method === 'POST' || method === 'OPTIONS';
  return (
    method !== 'POST' && path.startsWith(`${UPLOADS_PATH}/`) && !path.includes('/', UPLOADS_PATH.length + 1)
  );
}
