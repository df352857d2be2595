import type { ChannelOptions } from '@grpc/grpc-js';
import { MAX_MESSAGE_BYTES } from './service-definition.js';

/** Metadata carries the details of validation errors and `Pulso-After`; grpc-js's default limit is 16 KiB or less. */
const MAX_METADATA_BYTES = 64 * 1024;

export type KeepaliveOptions = Pick<
  ChannelOptions,
  'grpc.keepalive_time_ms' | 'grpc.keepalive_timeout_ms' | 'grpc.keepalive_permit_without_calls'
>;

/** Both sides ask whether the other is there: a host that has died closes no connection, and a stream would wait for ever. */
export const KEEPALIVE: KeepaliveOptions = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  // Else the first calls after a pause would wait for the dead host until their deadline.
  'grpc.keepalive_permit_without_calls': 1,
};

const LIMITS: ChannelOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_metadata_size': MAX_METADATA_BYTES,
};

export const SERVER_OPTIONS: ChannelOptions = {
  ...LIMITS,
  // Clients look up addresses again only when a connection ends; this lets new replicas get calls.
  'grpc.max_connection_age_ms': 60_000,
  'grpc.max_connection_age_grace_ms': 10_000,
};

/**
 * There is no retry policy here: the client decides about retries, and retries only reads. grpc-js itself repeats only
 * calls that no server has begun to handle, for example if the chosen replica leaves before the call.
 */
export const CHANNEL_OPTIONS: ChannelOptions = {
  ...LIMITS,
  // Reconnect to a restarted service within a second; by default it may take two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // Keep one connection to each replica behind a headless service.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.dns_min_time_between_resolutions_ms': 5_000,
};
