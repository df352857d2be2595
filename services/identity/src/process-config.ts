import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { serviceSettings } from '@pulso/platform/process/process-settings';
import { identityConfigSchema } from './config.js';

/** Everything that identity reads when it runs as a process of its own. */
export const identityProcessSchema = identityConfigSchema
  .extend(kafkaConfigSchema.shape)
  .extend(serviceSettings);
