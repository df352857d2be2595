import type { ChannelOptions } from '@grpc/grpc-js';
import { MAX_MESSAGE_BYTES } from './service-definition.js';

/** Metadata carries the details of validation errors and `Pulso-After`; grpc-js would stop at 16 KiB or less. */
const MAX_METADATA_BYTES = 64 * 1024;

export const SERVER_OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_metadata_size': MAX_METADATA_BYTES,
};

export const CHANNEL_OPTIONS: ChannelOptions = {
  ...SERVER_OPTIONS,
  // The client decides about retries, and only for reads.
  'grpc.enable_retries': 0,
  // A restarted service is found again within a second, not after two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 30_000,
  // One connection to each replica behind a headless service.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.dns_min_time_between_resolutions_ms': 5_000,
};
