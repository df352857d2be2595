import { Injectable } from '@nestjs/common';
import { Image } from '@pulso/contracts/media/v1/media';
import { currentContext } from '@pulso/platform/context/request-context';
import { notFound } from '@pulso/platform/errors/domain-error';
import { encodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import { answerError, type HttpListener } from '@pulso/platform/service/private-listener';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DeliverImage } from '../delivery/deliver-image.js';
import { TooSlow } from '../upload/read-form.js';
import { UploadImage } from '../upload/upload-image.js';

const FILE = /^\/media\/[^/]+\/[^/]+$/;

/**
 * Media's private port: takes uploads, answers with the protobuf of an Image and the tokens of the write, as an rpc does, and gives
 * files.
 */
@Injectable()
export class ObjectServer implements HttpListener {
  constructor(
    private readonly uploadImage: UploadImage,
    private readonly deliverImage: DeliverImage,
  ) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://media');
    if (request.method === 'POST' && url.pathname === '/images') return this.upload(request, response);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && FILE.test(url.pathname)) return this.deliverImage.execute(request, response, url);
    throw notFound();
  }

  private async upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { cancellation, wrote } = currentContext()!;
      const image = await this.uploadImage.execute(request, cancellation.signal);
      response.writeHead(201, { 'content-type': 'application/x-protobuf', [WROTE]: encodeTokens(wrote) });
      response.end(Image.encode(image).finish());
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
