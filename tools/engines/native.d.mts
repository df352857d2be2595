import type { Engine } from './engine-process.mjs';

export interface NativeEngines {
  kafkaBrokers: string;
  redisUrl: string;
  postgresUrl: string;
  mongodbUrl: string;
  /** Of a server on which buckets can be made, with key and secret. */
  s3Url: string;
  engines: {
    kafka: Engine & { brokers: string };
    redis: Engine & { url: string };
    postgres: Engine & { url: string };
    objects: Engine & { url: string };
    documents: { url: string; readonly pid: number; stop(): Promise<void> };
  };
  stop(): Promise<void>;
  discard(): Promise<void>;
}

export function startNativeEngines(): Promise<NativeEngines>;
