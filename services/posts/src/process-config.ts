import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { serviceSettings } from '@pulso/platform/process/process-settings';
import { postsConfigSchema } from './config.js';

/** Everything that posts reads when it runs as a process of its own. */
export const postsProcessSchema = postsConfigSchema.extend(kafkaConfigSchema.shape).extend(serviceSettings);
