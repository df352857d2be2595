import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { FIELD_ERRORS } from '@pulso/contracts/field-errors';
import { ERROR_CODES, errorEntry } from '../errors/error-table.js';
import { headerComponents, headersOf } from './headers.js';
import { componentSchemas } from './component-schemas.js';

/** The OpenAPI 3.1 document of all controllers of `app` (HTTP-24), which has to be initialised. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Pulso')
    .setDescription(description())
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addSecurity('accessToken', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .addSecurity('refreshCookie', {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-pulso_refresh',
      description: 'Where Pulso is served over http it is `pulso_refresh`.',
    });
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  const schemas = componentSchemas() as NonNullable<OpenAPIObject['components']>['schemas'];
  const responses = { MethodNotAllowed: methodNotAllowed() };
  const components = { ...document.components, schemas, headers: headerComponents, responses };
  return { ...document, tags: tagsOf(document), components } as OpenAPIObject;
}

/** The tags of all operations, in the order of the controllers. */
function tagsOf({ paths }: OpenAPIObject) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path) as { tags?: string[] }[]);
  const names = new Set(operations.flatMap(({ tags = [] }) => tags));
  return [...names].map((name) => ({ name, description: '' }));
}

/** What every path answers to methods that it does not list: no operation can say so. */
function methodNotAllowed() {
  return {
    description: '`method-not-allowed`',
    ...headersOf(['Allow']),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function description(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, meaning } = errorEntry(code);
    return `| \`${code}\` | ${status} | ${meaning} |`;
  });
  return [
    'JSON over HTTP. Ids are opaque strings, times ISO 8601 in UTC with milliseconds, sizes bytes.',
    '',
    'Lists take `limit` (1–100, default 20) and `cursor` and answer `{ items, nextCursor }`. Every answer to a write',
    'carries `Pulso-After`: sent back with the next request, that request sees the write. Errors are problems',
    '(RFC 9457) with a stable `code`. Another method than those of a path gets the response `MethodNotAllowed`.',
    '',
    '## Error codes',
    '',
    '| code | status | meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
    '## Codes of invalid fields',
    '',
    '| code | the field |',
    '| --- | --- |',
    ...Object.entries(FIELD_ERRORS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
  ].join('\n');
}
