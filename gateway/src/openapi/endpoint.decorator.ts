import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import { ApiBody, ApiHeader, ApiOperation, ApiQuery, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { PAGE_SIZE } from '@pulso/contracts/limits';
import { errorEntry, type HttpErrorCode } from '../errors/error-table.js';
import { BODY_BYTES, type EndpointConfig } from '../http/endpoint.js';
import { serializationSchema } from './serialization.js';
import { answers, bodies, isBodyClass } from './component.js';
import { problemSchema } from './problem.dto.js';
import type { z } from 'zod';

export interface EndpointOptions extends EndpointConfig {
  summary: string;
  description?: string;
  /** Status of success and the schema of the answer, which has a name; without one there is no body. */
  status: number;
  answer?: z.ZodType;
  /** 201 with the same answer when the call has made something new. */
  upserts?: boolean;
  /** Written by a serializer compiled from the schema, which long lists are worth. */
  compiled?: boolean;
  /** Another media type than JSON. */
  mediaType?: string;
  /** Takes limit and cursor. */
  paged?: boolean;
  /** Takes Idempotency-Key. */
  creates?: boolean;
  /** Sends an ETag and understands If-None-Match. */
  conditional?: boolean;
  /** Refused unless it comes from our own origin; reads the refresh cookie. */
  cookie?: boolean;
  /** Codes of its own; those of every such call are added. */
  errors?: readonly HttpErrorCode[];
}

const component = (id: string) => ({ $ref: `#/components/schemas/${id}` });

function answerOf(schema: z.ZodType) {
  const named = answers.get(schema);
  if (!named) throw new Error('An answer needs a name in the OpenAPI document: make it by answer()');
  return component(named.id);
}

/** The body that a handler takes, by the class its parameter is typed with. */
function bodyOf(target: object, name: string | symbol): string | undefined {
  const types = Reflect.getMetadata('design:paramtypes', target, name) as unknown[];
  const taken = types.find(isBodyClass);
  return taken && bodies.get(taken.schema)!.id;
}

/** A call of the HTTP API: what the hooks must know of it and what the OpenAPI document says. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { access, limit, shared, bodyless, bodyBytes, status, summary, description, answer } = options;
  const config: EndpointConfig = { access, limit, shared, bodyless, bodyBytes };
  const serializer = options.compiled && answer && { [status]: serializationSchema(answer) };
  return (target, name, descriptor) => {
    const body = bodyOf(target, name);
    applyDecorators(
      RouteConfig({ endpoint: config }),
      HttpCode(status),
      ...(serializer ? [RouteSchema({ response: serializer })] : []),
      ApiOperation({ summary, description }),
      ...success(options),
      ...failures(options, body),
      ...inputs(options, body),
      ...security(options),
    )(target, name, descriptor);
  };
}

function success(options: EndpointOptions) {
  const { status, answer, mediaType = 'application/json', upserts, conditional } = options;
  const schema = answer ? answerOf(answer) : { type: 'string' };
  const hasBody = answer !== undefined || mediaType !== 'application/json';
  const content = hasBody && { content: { [mediaType]: { schema } } };
  return [
    ApiResponse({ status, description: hasBody ? 'Success' : 'Success, without a body', ...content }),
    ...(upserts ? [ApiResponse({ status: 201, description: 'Success, the first time', ...content })] : []),
    ...(conditional ? [ApiResponse({ status: 304, description: 'Unchanged since the ETag given' })] : []),
  ];
}

function failures(options: EndpointOptions, body: string | undefined) {
  const codes = new Set<HttpErrorCode>([...(options.errors ?? []), ...commonErrors(options, body)]);
  const byStatus = new Map<number, HttpErrorCode[]>();
  for (const code of codes) {
    const { status } = errorEntry(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, some]) =>
    ApiResponse({
      status,
      description: some.map((code) => `\`${code}\``).join(', '),
      content: { 'application/problem+json': { schema: answerOf(problemSchema) } },
    }),
  );
}

function commonErrors(
  { access, bodyless, paged, creates }: EndpointOptions,
  body: string | undefined,
): HttpErrorCode[] {
  return [
    // A call that takes no body still reads the body that a client sends, to refuse it.
    ...(body || bodyless
      ? (['validation-failed', 'invalid-json', 'payload-too-large', 'unsupported-media-type'] as const)
      : []),
    ...(paged ? (['validation-failed', 'invalid-cursor'] as const) : []),
    ...(creates ? (['idempotency-in-progress', 'idempotency-key-reused'] as const) : []),
    ...(access === 'private' ? (['not-authenticated'] as const) : []),
    'user-token-expired',
    'too-many-requests',
    'unavailable',
  ];
}

function inputs(
  { bodyBytes = BODY_BYTES.usual, paged, creates, conditional }: EndpointOptions,
  body: string | undefined,
) {
  const description = `At most ${bodyBytes / 1024} KiB of JSON`;
  return [
    ...(body ? [ApiBody({ required: true, description, schema: component(body) })] : []),
    ...(paged
      ? [
          ApiQuery({
            name: 'limit',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: PAGE_SIZE.max, default: PAGE_SIZE.usual },
          }),
          ApiQuery({
            name: 'cursor',
            required: false,
            schema: { type: 'string' },
            description: '`nextCursor` of the page before',
          }),
        ]
      : []),
    ...(creates
      ? [
          ApiHeader({
            name: 'Idempotency-Key',
            required: false,
            schema: { type: 'string', minLength: 1, maxLength: 255 },
            description: 'Repeats with the same key and body within 24 h give the first answer again',
          }),
        ]
      : []),
    ...(conditional
      ? [ApiHeader({ name: 'If-None-Match', required: false, schema: { type: 'string' } })]
      : []),
  ];
}

function security({ access, cookie }: EndpointOptions) {
  if (cookie) return [ApiSecurity('refreshCookie')];
  // An empty requirement says that the token is optional.
  return access === 'private' ? [ApiSecurity('accessToken')] : [ApiSecurity({}), ApiSecurity('accessToken')];
}
