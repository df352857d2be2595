import type { ChannelOptions } from '@grpc/grpc-js';
import { MAX_MESSAGE_BYTES } from './service-definition.js';

/** Metadata carries the details of validation errors and `Pulso-After`; grpc-js would stop at 16 KiB or less. */
const MAX_METADATA_BYTES = 64 * 1024;

const LIMITS: ChannelOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_metadata_size': MAX_METADATA_BYTES,
};

export const SERVER_OPTIONS: ChannelOptions = {
  ...LIMITS,
  // Clients ask for addresses anew only when a connection ends: so that new replicas get their share.
  'grpc.max_connection_age_ms': 60_000,
  'grpc.max_connection_age_grace_ms': 10_000,
};

/**
 * Retries are the client's decision, and only for reads; no policy for them here. What grpc-js repeats by itself is just
 * what no server has begun with, as when a replica leaves between the choice of it and the call.
 */
export const CHANNEL_OPTIONS: ChannelOptions = {
  ...LIMITS,
  // A restarted service is found again within a second, not after two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 30_000,
  // One connection to each replica behind a headless service.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.dns_min_time_between_resolutions_ms': 5_000,
};
