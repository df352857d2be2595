import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import {
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
} from '@nestjs/swagger';
import { PAGE_SIZE } from '@pulso/contracts/limits';
import { errorEntry, type HttpErrorCode } from '../errors/error-table.js';
import { BODY_BYTES, type EndpointConfig } from '../http/endpoint.js';
import { CURSOR_SCHEMA } from '../http/bodies/list-query.js';
import { headersOf } from './headers.js';
import { serializationSchema } from './serialization.js';
import { answers, bodies, isBodyClass } from '../validation/named-schemas.js';
import { problemSchema } from './problem.dto.js';
import type { z } from 'zod';

type FormSchema = NonNullable<Extract<Parameters<typeof ApiBody>[0], { schema: unknown }>['schema']>;

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
  /** Takes bytes of this media type. */
  binary?: { type: string; maxBytes: number };
  /** Takes multipart/form-data of this schema. */
  form?: FormSchema;
  /** Takes limit and cursor. */
  paged?: boolean;
  /** Takes Idempotency-Key. */
  creates?: boolean;
  /** Sends an ETag and understands If-None-Match. */
  conditional?: boolean;
  /** Sets or clears the refresh cookie. */
  setsCookie?: boolean;
  /** Refused unless it comes from our own origin; reads the refresh cookie, or does without it where it is optional. */
  cookie?: 'required' | 'optional';
  /** Codes of its own; those of every such call are added. */
  errors?: readonly HttpErrorCode[];
}

const component = (id: string) => ({ $ref: `#/components/schemas/${id}` });

function answerOf(schema: z.ZodType) {
  const named = answers.get(schema);
  if (!named) throw new Error('An answer needs a name in the OpenAPI document: make it by answer()');
  return component(named.id);
}

interface TakenBody {
  id: string;
  /** False where the schema takes no body at all, too. */
  required: boolean;
}

/** The body that a handler takes, by the class its parameter is typed with. */
function bodyOf(target: object, name: string | symbol): TakenBody | undefined {
  const types = Reflect.getMetadata('design:paramtypes', target, name) as unknown[];
  const taken = types.find(isBodyClass);
  if (!taken) return undefined;
  return { id: bodies.get(taken.schema)!.id, required: !taken.schema.safeParse(undefined).success };
}

/** A call of the HTTP API: what the hooks must know of it and what the OpenAPI document says. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { kind, access, limit, addressLimit, shared, bodyless, rawBody, bodyBytes, upload } = options;
  const limits = { limit, addressLimit, bodyBytes, upload };
  const config: EndpointConfig = { kind, access, shared, bodyless, rawBody, ...limits };
  const { status, summary, description, answer, form, binary } = options;
  const serializer = options.compiled && answer && { [status]: serializationSchema(answer) };
  return (target, name, descriptor) => {
    const body = bodyOf(target, name);
    // The method itself is not known yet: its decorator stands above and runs later.
    const takesBody = body !== undefined || form !== undefined || binary !== undefined;
    const isWrite = takesBody || Boolean(bodyless) || Boolean(rawBody);
    applyDecorators(
      RouteConfig({ endpoint: config }),
      HttpCode(status),
      ...(serializer ? [RouteSchema({ response: serializer })] : []),
      ApiOperation({ summary, description }),
      ...success(options, isWrite),
      ...failures(options, body, isWrite),
      ...inputs(options, body),
      ...security(options),
    )(target, name, descriptor);
  };
}

function success(options: EndpointOptions, isWrite: boolean) {
  const { status, answer, mediaType = 'application/json', upserts, conditional } = options;
  const schema = answer ? answerOf(answer) : { type: 'string' };
  const hasBody = answer !== undefined || mediaType !== 'application/json';
  const headers = headersOf([
    ...(isWrite ? (['PulsoAfter'] as const) : (['PulsoStale'] as const)),
    ...(conditional ? (['ETag'] as const) : []),
    ...(options.setsCookie ? (['SetCookie'] as const) : []),
  ]);
  const content = { ...(hasBody && { content: { [mediaType]: { schema } } }), ...headers };
  return [
    ApiResponse({ status, description: hasBody ? 'Success' : 'Success, without a body', ...content }),
    ...(upserts ? [ApiResponse({ status: 201, description: 'Success, the first time', ...content })] : []),
    ...(conditional
      ? [ApiResponse({ status: 304, description: 'Unchanged since the ETag given', ...headersOf(['ETag']) })]
      : []),
  ];
}

/** Statuses that say when a retry makes sense (HTTP-19, LIMIT-1). */
const RETRIED = new Set([429, 503]);

function failures(options: EndpointOptions, body: TakenBody | undefined, isWrite: boolean) {
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
      ...headersOf([
        ...(isWrite ? (['PulsoAfter'] as const) : []),
        ...(RETRIED.has(status) ? (['RetryAfter'] as const) : []),
      ]),
      content: { 'application/problem+json': { schema: answerOf(problemSchema) } },
    }),
  );
}

function commonErrors(
  { access, bodyless, form, binary, paged, creates }: EndpointOptions,
  body: TakenBody | undefined,
): HttpErrorCode[] {
  return [
    // A call that takes no body still reads the body that a client sends, to refuse it.
    ...(body || bodyless === true
      ? (['validation-failed', 'invalid-json', 'payload-too-large', 'unsupported-media-type'] as const)
      : []),
    ...(form ? (['validation-failed', 'file-too-large', 'unsupported-media-type'] as const) : []),
    ...(binary ? (['file-too-large', 'unsupported-media-type'] as const) : []),
    ...(paged ? (['validation-failed', 'invalid-cursor'] as const) : []),
    ...(creates ? (['idempotency-in-progress', 'idempotency-key-reused'] as const) : []),
    ...(access === 'private' ? (['not-authenticated'] as const) : []),
    'user-token-expired',
    'too-many-requests',
    'unavailable',
  ];
}

function inputs(
  { bodyBytes = BODY_BYTES.usual, form, binary, paged, creates, conditional }: EndpointOptions,
  body: TakenBody | undefined,
) {
  const description = `At most ${bodyBytes / 1024} KiB of JSON`;
  return [
    ApiHeader({
      name: 'Pulso-After',
      required: false,
      schema: { type: 'string' },
      description:
        'Of the latest answer to a write: this request sees that write. After a comma, the `id` of the latest event of GET /api/events',
    }),
    ...(body ? [ApiBody({ required: body.required, description, schema: component(body.id) })] : []),
    ...(form ? [ApiConsumes('multipart/form-data'), ApiBody({ required: true, schema: form })] : []),
    ...(binary
      ? [
          ApiConsumes(binary.type),
          ApiBody({
            required: true,
            schema: { type: 'string', format: 'binary', maxLength: binary.maxBytes },
          }),
        ]
      : []),
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
            schema: { type: 'string', ...CURSOR_SCHEMA },
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
  if (cookie === 'required') return [ApiSecurity('refreshCookie')];
  if (cookie) return [ApiSecurity({}), ApiSecurity('refreshCookie'), ApiSecurity('accessToken')];
  // An empty requirement says that the token is optional.
  return access === 'private' ? [ApiSecurity('accessToken')] : [ApiSecurity({}), ApiSecurity('accessToken')];
}
