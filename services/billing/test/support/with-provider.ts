import { Module, type Provider as Part } from '@nestjs/common';
import type { ServiceDefinition } from '@pulso/platform/service/define-service';
import { Provider } from '../../src/provider/provider.js';

/** The service with this payment provider in place of the one that its settings name. */
export function withProvider(definition: ServiceDefinition, provider: Provider): ServiceDefinition {
  const parts = Reflect.getMetadata('providers', definition.module) as Part[];
  const others = parts.filter((part) => !('provide' in part && part.provide === Provider));
  class Tested {}
  Module({ providers: [...others, { provide: Provider, useValue: provider }] })(Tested);
  return { ...definition, module: Tested };
}
