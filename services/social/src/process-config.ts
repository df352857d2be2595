import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { serviceSettings } from '@pulso/platform/process/process-settings';
import { socialConfigSchema } from './config.js';

/** Everything that social reads when it runs as a process of its own. */
export const socialProcessSchema = socialConfigSchema.extend(kafkaConfigSchema.shape).extend(serviceSettings);
