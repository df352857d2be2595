import { createRequire } from 'node:module';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ERROR_CODES, errorEntry } from '../errors/error-table.js';

const FILES = ['/swagger-ui.css', '/swagger-ui-bundle.js'];

/** Serves the files of Swagger UI that the page loads. */
export async function serveSwaggerUi(fastify: FastifyInstance): Promise<void> {
  const directoryOf = createRequire(import.meta.url)('swagger-ui-dist/absolute-path.js') as () => string;
  await fastify.register(fastifyStatic, {
    root: directoryOf(),
    prefix: '/api/docs',
    decorateReply: false,
    allowedPath: (path) => FILES.includes(path),
  });
}

/** A file, since the CSP refuses scripts within a page. Not every browser opens the table for an address of its row. */
export const DOCS_SCRIPT = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui' });
const row = document.getElementById(location.hash.slice(1));
row?.closest('details')?.setAttribute('open', '');
row?.scrollIntoView();
`;

/**
 * The table of codes, where each problem's `type` links to a row, and Swagger UI over the document. The table comes
 * first: a row would move while Swagger UI grows above it.
 */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pulso API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div class="swagger-ui"><details class="wrapper"><summary>Error codes</summary>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>
${ERROR_CODES.map(row).join('\n')}
</tbody></table></details></div>
<div id="swagger-ui"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/swagger-initializer.js"></script>
</body>
</html>
`;

function row(code: (typeof ERROR_CODES)[number]): string {
  const { status, meaning } = errorEntry(code);
  const text = meaning.replace(/`([^`]+)`/g, '<code>$1</code>');
  return `<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${text}</td></tr>`;
}
