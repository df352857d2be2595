import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  /** `service.name` of the process that sent the span. */
  service: string;
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<CollectedSpan, 'service'>[] }[];
  }[];
}

/** An OTLP endpoint that stores the spans it receives; for tests. */
export async function startTraceCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString()) as Export));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The spans received so far. */
    spans: spans as readonly CollectedSpan[],
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function spansOf({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find(({ key }) => key === 'service.name');
    const service = name?.value.stringValue ?? '';
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
  });
}
