import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { currentContext } from '../context/request-context.js';
import { prettyStream } from './pretty-stream.js';

export type Logger = PinoLogger;
/** The token by which Nest injects the service's logger: pino's type alone leaves nothing behind at run time. */
export const Logger = class Logger {} as unknown as abstract new () => PinoLogger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  service: string;
  level: LogLevel;
  /** One readable line an entry instead of JSON; for a person at a terminal. */
  pretty?: boolean;
  /** Standard output unless given. */
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

/** A field at the top, one and two objects deep: pino's paths have no "anywhere". */
const redactedPaths = SECRET_FIELDS.flatMap((field) =>
  field.startsWith('[') ? [field, `*${field}`, `*.*${field}`] : [field, `*.${field}`, `*.*.${field}`],
);

/**
 * JSON lines with `service`, `level` as a word, ISO time and, inside a request, its `requestId`. Secrets in well-known
 * fields are replaced; errors show type, message, code and stack only, as drivers attach query parameters to theirs.
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
  // Written before the call returns: what a process says last would else be lost, or come in another order.
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
