import {
  type Attributes,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  context,
  trace,
} from '@opentelemetry/api';
import { z } from 'zod';
import type { Logger } from '../logging/logger.js';
import { readTraceparent } from './traceparent.js';

/** Settings of tracing, named as OpenTelemetry names them; `OTEL_TRACES_SAMPLER` and its `_ARG` hold as well. */
export const tracingSettings = {
  /** Where spans go (OTLP over HTTP), without the path `/v1/traces`; absent: nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional(),
};

export type TracingSettings = z.output<z.ZodObject<typeof tracingSettings>>;

let tracer: Tracer | undefined;

/**
 * What this process does from now on is traced, if the settings say where to. `stop` sends what has gathered; it never
 * rejects.
 */
export async function traceProcess(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: TracingSettings,
  logger: Logger,
): Promise<{ stop(): Promise<void> } | undefined> {
  if (endpoint === undefined) return undefined;
  // The SDK is loaded by those who use it: it would be a tenth of the start of all others.
  const { otlpProvider } = await import('./otlp-provider.js');
  const provider = otlpProvider(service, endpoint);
  tracer = provider.getTracer('pulso');
  return {
    async stop(): Promise<void> {
      tracer = undefined;
      await provider.shutdown().catch((err: unknown) => logger.warn({ err }, 'the last spans were not sent'));
    },
  };
}

export interface SpanOptions {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** W3C, of what caused this; none or an invalid one begins a trace. */
  parent: string | undefined;
  attributes?: Attributes;
}

/** A piece of work under way, as part of a trace. */
export interface TracedWork {
  /** W3C `traceparent` for what this work causes. */
  readonly traceparent: string;
  end(outcome?: { error?: unknown; attributes?: Attributes }): void;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/**
 * Begins a span; undefined while the process is not traced. Parents are handed on as `traceparent` and not by an ambient
 * context: it is the same text that crosses processes, the outbox and Kafka.
 */
export function beginSpan({ name, kind, parent, attributes }: SpanOptions): TracedWork | undefined {
  if (!tracer) return undefined;
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
  return {
    traceparent: traceparentOf(span),
    end({ error, attributes: more } = {}) {
      if (more) span.setAttributes(more);
      if (error !== undefined) {
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : undefined,
        });
      }
      span.end();
    },
  };
}

/** Runs `work` in a span, with the `traceparent` for what it causes: the parent's own while nothing is traced. */
export async function inSpan<T>(
  options: SpanOptions,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  const span = beginSpan(options);
  if (!span) return work(options.parent);
  try {
    const result = await work(span.traceparent);
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

function contextOf(parent: string | undefined) {
  const [, traceId, spanId, flags] = readTraceparent(parent)?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined) return context.active();
  return trace.setSpanContext(context.active(), {
    traceId,
    spanId,
    traceFlags: parseInt(flags!, 16),
    isRemote: true,
  });
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
