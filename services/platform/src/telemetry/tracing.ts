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

/** Settings of tracing, with OpenTelemetry's names; `OTEL_TRACES_SAMPLER` and its `_ARG` apply too. */
export const tracingSettings = {
  /** The endpoint for spans (OTLP over HTTP), without the path `/v1/traces`. If unset, nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional(),
};

export type TracingSettings = z.output<z.ZodObject<typeof tracingSettings>>;

let tracer: Tracer | undefined;

/**
 * Traces this process from now on, if the settings name an endpoint. `stop` sends the remaining spans and never rejects.
 */
export async function traceProcess(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: TracingSettings,
  logger: Logger,
): Promise<{ stop(): Promise<void> } | undefined> {
  if (endpoint === undefined) return undefined;
  // The SDK is loaded only if it is used: otherwise loading it would take a tenth of the start.
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
  /** The W3C `traceparent` of the cause. If it is missing or invalid, a new trace begins. */
  parent: string | undefined;
  attributes?: Attributes;
}

/** Running work that is part of a trace. */
export interface TracedWork {
  /** The W3C `traceparent` for work that this work causes. */
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
 * Begins a span; undefined while the process is not traced. Parents are passed as `traceparent` and not in an ambient
 * context: the same text crosses processes, the outbox and Kafka.
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

/** Runs `work` in a span and passes it the `traceparent` for its calls: the parent's own if nothing is traced. */
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
