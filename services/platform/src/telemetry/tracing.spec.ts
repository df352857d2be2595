import { pino } from 'pino';
import { startTraceCollector } from '../../testing/trace-collector.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { beginSpan, inSpan, traceProcess } from './tracing.js';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const logger = pino({ level: 'silent' });

describe('tracing', () => {
  it('does nothing if no endpoint is set', async () => {
    expect(await traceProcess('posts', {}, logger)).toBeUndefined();
    expect(beginSpan({ name: 'x', kind: 'server', parent: PARENT })).toBeUndefined();
    expect(await inSpan({ name: 'x', kind: 'client', parent: PARENT }, async (parent) => parent)).toBe(
      PARENT,
    );
  });

  it('continues its caller’s trace and sends it, also with failures', async () => {
    const { spans, endpoint, close } = await startTraceCollector();
    onTestEnd(close);
    const tracing = await traceProcess('posts', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, logger);
    const server = beginSpan({ name: 'server', kind: 'server', parent: PARENT })!;
    const failing = inSpan({ name: 'client', kind: 'client', parent: server.traceparent }, () =>
      Promise.reject(new TypeError('no')),
    );
    await expect(failing).rejects.toThrow('no');
    server.end();
    beginSpan({ name: 'alone', kind: 'consumer', parent: 'nonsense' })!.end();
    await tracing!.stop();

    const [child, parent, alone] = ['client', 'server', 'alone'].map((name) =>
      spans.find((span) => span.name === name)!,
    );
    expect(parent).toMatchObject({ traceId: PARENT.split('-')[1], parentSpanId: PARENT.split('-')[2] });
    expect(child).toMatchObject({
      traceId: parent!.traceId,
      parentSpanId: parent!.spanId,
      status: { code: 2 },
    });
    expect(server.traceparent).toBe(`00-${parent!.traceId}-${parent!.spanId}-01`);
    expect(alone!.traceId).not.toBe(parent!.traceId);
    expect(beginSpan({ name: 'x', kind: 'server', parent: PARENT })).toBeUndefined();
  });

  it('stops without an error if spans cannot be sent', async () => {
    const { endpoint, close } = await startTraceCollector();
    await close();
    const tracing = await traceProcess('posts', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, logger);
    beginSpan({ name: 'lost', kind: 'server', parent: undefined })!.end();
    await expect(tracing!.stop()).resolves.toBeUndefined();
  });
});
