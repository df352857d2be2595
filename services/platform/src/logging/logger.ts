import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { currentContext } from '../context/request-context.js';
import { prettyStream } from './pretty-stream.js';

export type Logger = PinoLogger;
/** The injection token of the service's logger: pino's type does not exist at run time. */
export const Logger = class Logger {} as unknown as abstract new () => PinoLogger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  service: string;
  level: LogLevel;
  /** One readable line per entry instead of JSON, for use at a terminal. */
  pretty?: boolean;
  /** Defaults to standard output. */
  destination?: DestinationStream;
}

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'cookies',
  '["set-cookie"]',
  'password',
  'currentPassword',
  'passwordHash',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
];

/** Each field at the top level and one and two objects deep: pino's paths cannot match at any depth. */
const redactedPaths = SECRET_FIELDS.flatMap((field) =>
  field.startsWith('[') ? [field, `*${field}`, `*.*${field}`] : [field, `*.${field}`, `*.*.${field}`],
);

/**
 * JSON lines with `service`, `level` as a word, ISO time and, inside a request, its `requestId`. Secrets in well-known
 * fields are replaced; errors show only type, message, code and stack, because drivers attach query parameters to errors.
 */
export function createLogger({ service, level, pretty, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '[redacted]' },
    serializers: { err: describeError, error: describeError },
    mixin: () => {
      const requestId = currentContext()?.requestId;
      return requestId === undefined ? {} : { requestId };
    },
  };
  if (pretty) return pino(options, prettyStream(destination ?? process.stdout));
  // Synchronous: otherwise the last lines before an exit would be lost or come in another order.
  return pino(options, destination ?? pino.destination({ sync: true }));
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const { code, kind } = error as { code?: unknown; kind?: unknown };
  return {
    type,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(kind === undefined ? {} : { kind }),
  };
}
