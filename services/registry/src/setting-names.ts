import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { processSettings, rpcServerSettings } from '@pulso/platform/process/process-settings';
import { serviceShape } from '@pulso/platform/service/service-settings';
import { SERVICES } from './services.js';

/** The names of all settings that a service's process reads from its environment. */
export const SERVICE_SETTING_NAMES: ReadonlySet<string> = new Set(
  [
    kafkaConfigSchema.shape,
    processSettings,
    rpcServerSettings,
    ...Object.values(SERVICES).map((definition) => serviceShape(definition)),
  ].flatMap((shape) => Object.keys(shape)),
);
