import { after, before, describe, it } from 'node:test';
import { expect } from 'expect';
import { firstDay } from '../api/first-day.journey.js';
import { live } from '../api/live.journey.js';
import { messages } from '../api/messages.journey.js';
import { postPictures } from '../api/post-pictures.journey.js';
import { subscriptions } from '../api/subscriptions.journey.js';
import type { ApiClient } from '../support/api-client.js';
import type { PulsoByApi } from '../support/start-pulso.js';
import { waitFor } from '../support/wait-for.js';
import { PatientClient } from './patient-client.js';

/**
 * The Jobs of `skaffold verify`: the journeys that the arguments name, against the gateway at PULSO_URL, by Node's own runner with Jest's
 * matchers. Exit code 1 where one fails. Users get new names, so that it may run again.
 */
const JOURNEYS = new Map<string, (shared: () => PulsoByApi) => unknown>([
  ['first-day', firstDay],
  ['messages', messages],
  ['live', live],
  ['post-pictures', postPictures],
  ['subscriptions', subscriptions],
]);
/** Reads that each service answers once it has heard of who asks (HTTP-30): social, messaging, billing, posts. */
const KNOWN_BY = ['/api/me/blocks', '/api/conversations', '/api/subscriptions', '/api/feed'];

const url = process.env['PULSO_URL'];
if (!url) throw new Error('PULSO_URL is not set: the address of a gateway');
const names = process.argv.slice(2);
const chosen = names.map((name) => {
  const journey = JOURNEYS.get(name);
  if (!journey) throw new Error(`There is no journey ${name}, only ${[...JOURNEYS.keys()].join(', ')}`);
  return journey;
});
if (chosen.length === 0) throw new Error(`Name journeys: ${[...JOURNEYS.keys()].join(', ')}`);

const run = Date.now().toString(36);
const users: ApiClient[] = [];
const pulso: PulsoByApi = {
  url,
  visitor: () => new PatientClient(url),
  async user(username, fields) {
    const client = await new PatientClient(url).signUp(`${username}-${run}`, fields);
    users.push(client);
    return client;
  },
  // From here nobody sees what is under way: what journeys wait for is that all services know their users.
  async drainEvents() {
    for (const user of users)
      for (const path of KNOWN_BY)
        await waitFor(
          () => user.get(path),
          ({ status }) => status === 200,
          { what: `${path} of ${user.username}` },
        );
  },
};

Object.assign(globalThis, { describe, it, beforeAll: before, afterAll: after, expect });
for (const journey of chosen) journey(() => pulso);
