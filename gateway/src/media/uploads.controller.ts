import { Controller, Delete, Head, Options, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiHeader, ApiTags } from '@nestjs/swagger';
import { VALIDATION_MESSAGES, VIDEO } from '@pulso/contracts/limits';
import { currentContext, recordWrite } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { decodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathId } from '../http/bodies/path-id.js';
import { idempotencyOf } from '../http/idempotency-key.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { addressOf } from '../rate-limit/address-key.js';
import { ForwardPieces } from './forward-upload.js';
import { type BytesRequest, MediaBytesClient, type ShortAnswer } from './media-bytes-client.js';
import { UploadVolume } from './upload-volume.js';

const NOT_FOUND = 'Media not found';
const VERSION = '1.0.0';
const BYTES = 'application/offset+octet-stream';
/** The headers of tus that go to media, and those that come back. */
const REQUEST_HEADERS = [
  ...['tus-resumable', 'upload-length', 'upload-defer-length', 'upload-metadata', 'upload-offset'],
  ...['upload-concat', 'idempotency-key'],
];
const ANSWER_HEADERS = [
  ...['location', 'upload-offset', 'upload-length', 'upload-metadata', 'upload-expires'],
  ...['tus-version', 'tus-extension', 'tus-max-size'],
];
const tooLarge = () => new DomainError('file-too-large', VALIDATION_MESSAGES.videoTooLarge);
const ofTus = (name: string, description: string) =>
  ApiHeader({ name, required: true, schema: { type: 'string' }, description });
const ofVersion = ofTus('Tus-Resumable', VERSION);

/**
 * tus 1.0 (MEDIA-9), which media speaks: creation, expiration, termination. What is refused by a rule of ours is a problem; what
 * the protocol refuses is answered with the status and the text of the library.
 */
@ApiTags('Media')
@Controller('api/uploads')
export class UploadsController {
  constructor(
    private readonly bytes: MediaBytesClient,
    private readonly forward: ForwardPieces,
    private readonly volume: UploadVolume,
  ) {}

  @Post()
  @ofVersion
  @ofTus('Upload-Length', `In bytes; at most ${VIDEO.maxBytes}`)
  @ofTus('Upload-Metadata', `\`filename\` and \`filetype\`: ${VIDEO.types.join(', ')}`)
  @Endpoint({
    summary: 'Begin the resumable upload of a video (tus 1.0)',
    description:
      'Its address is in `Location`, and its id is the video’s. `HEAD` of the address tells in `Upload-Offset` where the next byte belongs, and `OPTIONS` which extensions there are. An upload that gets no byte for 24 hours is deleted.',
    access: 'private',
    limit: 'video-uploads-account',
    bodyless: true,
    creates: true,
    status: 201,
    errors: ['file-too-large', 'quota-exceeded', 'unsupported-media'],
  })
  create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    // Media compares what is begun with the key; here it is only checked.
    idempotencyOf(request, null);
    this.volume.admit(addressOf(request));
    return this.pass(request, reply, { method: 'POST', path: '/uploads' });
  }

  @Patch(':id')
  @ofVersion
  @ofTus('Upload-Offset', 'Where the first byte of the body belongs')
  @Endpoint({
    kind: 'stream',
    summary: 'Go on with an upload',
    description:
      'The body is the next part of the file, of any length; what has come of a body that is cut is kept. With its last byte the video is to be processed.',
    access: 'private',
    limit: 'video-parts-account',
    binary: { type: BYTES, maxBytes: VIDEO.maxBytes },
    upload: { type: BYTES, maxBytes: VIDEO.maxBytes, tooLarge: VALIDATION_MESSAGES.videoTooLarge },
    status: 204,
    errors: ['bad-request', 'not-found', 'request-timeout', 'unprocessable'],
  })
  async goOn(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const path = pathOf(id);
    const address = addressOf(request);
    this.volume.admit(address);
    const answer = await this.forward.execute(request, reply, {
      ...{ method: 'PATCH', path, maxBytes: VIDEO.maxBytes, tooLarge },
      // Without the length of the body, so that it may end early.
      headers: { ...tusHeaders(request), 'content-type': request.upload!.contentType },
      keepsPart: true,
      ask: async (asked) => {
        const given = await this.bytes.converse(asked);
        return { headers: given.headers, answer: given };
      },
      onTaken: (bytes) => this.volume.add(address, bytes),
    });
    return answerWith(reply, answer);
  }

  @Delete(':id')
  @ofVersion
  @Endpoint({
    summary: 'End an upload and free its room, whether it is whole or not',
    access: 'private',
    limit: 'image-deletions-account',
    bodyless: true,
    status: 204,
    errors: ['not-found', 'media-attached'],
  })
  end(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    return this.pass(request, reply, { method: 'DELETE', path: pathOf(id) });
  }

  @Head(':id')
  @ApiExcludeEndpoint()
  @Endpoint({ summary: 'How far an upload has come', access: 'private', status: 200, errors: ['not-found'] })
  look(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    reply.header('cache-control', 'no-store');
    return this.pass(request, reply, { method: 'HEAD', path: pathOf(id) });
  }

  @Options(['', ':id'])
  @ApiExcludeEndpoint()
  @Endpoint({ summary: 'What may be uploaded', access: 'public', status: 204 })
  options(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    return this.pass(request, reply, { method: 'OPTIONS', path: '/uploads' });
  }

  /** Hands a request without a body on to media. */
  private async pass(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Pick<BytesRequest, 'method' | 'path'>,
  ): Promise<string | undefined> {
    // Of refusals, too.
    reply.header('tus-resumable', VERSION);
    const { signal } = currentContext()!.cancellation;
    const { authorization } = request.headers;
    const headers = { authorization, ...tusHeaders(request) };
    const answer = await this.bytes.converse({ ...asked, headers, signal });
    const wrote = answer.headers[WROTE];
    for (const token of typeof wrote === 'string' ? decodeTokens(wrote) : []) recordWrite(token);
    return answerWith(reply, answer);
  }
}

const pathOf = (id: string) => `/uploads/${pathId(id, NOT_FOUND)}`;

function tusHeaders({ headers }: FastifyRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    REQUEST_HEADERS.map((name) => [name, headers[name] === undefined ? undefined : String(headers[name])]),
  );
}

/** Sets status and headers as media answered; returns the body, for the handler to return. */
function answerWith(reply: FastifyReply, { statusCode, headers, text }: ShortAnswer): string | undefined {
  reply.code(statusCode).header('tus-resumable', VERSION);
  for (const name of ANSWER_HEADERS) if (headers[name] !== undefined) reply.header(name, headers[name]);
  if (text === '') return undefined;
  reply.header('content-type', 'text/plain; charset=utf-8');
  return text;
}
