import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES, errorEntry } from '../errors/error-table.js';

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
}

interface Media {
  schema?: { $ref?: string };
}

interface Schema {
  description?: string;
  examples?: unknown[];
}

/** A readable page of the document: plain HTML without a script, so that it needs no exception to the CSP. */
export function docsPage(document: OpenAPIObject): string {
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  const tags = (document.tags ?? []).map(({ name }) => name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pulso API</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>Pulso API</h1>
<p>The same as <a href="/api/openapi.json">OpenAPI 3.1</a>. <a href="#shapes">Shapes</a> · <a href="#errors">Error codes</a></p></header>
<main>
${tags.map((tag) => section(tag, operationsOf(document, tag))).join('\n')}
<section aria-labelledby="shapes"><h2 id="shapes">Shapes</h2>
${schemas.map(([name, schema]) => shape(name, schema)).join('\n')}
</section>
<section aria-labelledby="errors"><h2 id="errors">Error codes</h2>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>
${ERROR_CODES.map((code) => {
  const { status, meaning } = errorEntry(code);
  return `<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${rich(meaning)}</td></tr>`;
}).join('\n')}
</tbody></table></section>
</main>
</body>
</html>
`;
}

function operationsOf(document: OpenAPIObject, tag: string): [string, string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>)
      .filter(([, operation]) => operation.tags?.includes(tag))
      .map(([method, operation]): [string, string, Operation] => [method.toUpperCase(), path, operation]),
  );
}

function section(tag: string, operations: [string, string, Operation][]): string {
  const id = tag.toLowerCase().replaceAll(' ', '-');
  const articles = operations.map(([method, path, operation]) => article(method, path, operation));
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escape(tag)}</h2>\n${articles.join('\n')}\n</section>`;
}

function article(method: string, path: string, operation: Operation): string {
  const { summary = '', description, parameters = [], requestBody, responses, security = [] } = operation;
  const inputs = parameters.map(
    ({ name, in: place, required, description: about }) =>
      `<li><code>${escape(name)}</code> (${place}${required ? '' : ', optional'})${about ? ` ${rich(about)}` : ''}</li>`,
  );
  const body = requestBody && reference(Object.values(requestBody.content)[0]);
  if (body) inputs.push(`<li>body: ${body}</li>`);
  const outcomes = Object.entries(responses).map(([status, { description: about = '', content = {} }]) => {
    const what = Number(status) < 400 ? reference(Object.values(content)[0]) : '';
    return `<li><b>${status}</b> ${what ? `${what}` : rich(about)}</li>`;
  });
  const token = security.some((one) => 'accessToken' in one && !security.some((other) => isEmpty(other)));
  return `<article><h3><code>${method} ${escape(path)}</code></h3>
<p>${rich(summary)}${token ? ' <i>(signed in)</i>' : ''}</p>${description ? `<p>${rich(description)}</p>` : ''}
${inputs.length > 0 ? `<p>Takes</p><ul>${inputs.join('')}</ul>` : ''}<p>Answers</p><ul>${outcomes.join('')}</ul></article>`;
}

function shape(name: string, schema: Schema): string {
  const example = schema.examples?.[0];
  const shown = example === undefined ? '' : `<p>Example</p>${code(example)}`;
  const { examples: _shown, ...rest } = schema;
  return `<article id="shape-${name}"><h3>${name}</h3>${shown}<details><summary>Schema of ${name}</summary>${code(rest)}</details></article>`;
}

function code(value: unknown): string {
  return `<pre tabindex="0"><code>${escape(JSON.stringify(value, null, 2))}</code></pre>`;
}

function reference(media: Media | undefined): string {
  const name = media?.schema?.$ref?.split('/').at(-1);
  return name ? `<a href="#shape-${name}">${name}</a>` : '';
}

const isEmpty = (value: object) => Object.keys(value).length === 0;

/** Text with `code` in it. */
function rich(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:0 auto;padding:1rem}
h2{margin-top:3rem;border-bottom:1px solid}
article{margin:1.5rem 0}
h3{margin:0;font-size:1.1rem;overflow-wrap:anywhere}
p,ul{margin:.25rem 0}
pre{overflow:auto;padding:.75rem;border:1px solid;border-radius:.5rem;font-size:.85rem}
table{border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid}
`;
