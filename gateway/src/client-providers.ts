import type { Provider } from '@nestjs/common';
import type { GatewayClients } from './connect-services.js';
import { CLIENTS } from './services.js';
import { findingNewUsers } from './users/find-new-users.js';

/** What Nest injects for each class of `CLIENTS`. */
export function clientProviders(clients: GatewayClients): Provider[] {
  const found = findingNewUsers(clients);
  return Object.values(CLIENTS).map((client) => ({ provide: client, useValue: found[client.service] }));
}
