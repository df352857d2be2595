import type { Provider } from '@nestjs/common';
import * as classes from './clients.js';
import type { GatewayClients } from './connect-services.js';
import { findingNewUsers } from './users/find-new-users.js';

/** What Nest injects for each class of `clients.ts`. */
export function clientProviders(clients: GatewayClients): Provider[] {
  const found = findingNewUsers(clients);
  return Object.values(classes).map((client) => ({ provide: client, useValue: found[client.service] }));
}
