import { GetUserRequest, User } from '@pulso/contracts/identity/v1/identity';
import { createRpcClient } from '../../src/rpc/rpc-client.js';
import { type MessageParts, MAX_MESSAGE_BYTES } from '../../src/rpc/service-definition.js';
import { startEcho, transports } from './echo-fixture.js';
import { echoService } from './echo-service.js';

const shared = User.encode(User.create({ id: 'ada' })).finish();
const partsOf = (user: User) => [shared, User.encode(User.create({ name: user.name })).finish()];
const inParts = {
  ...echoService,
  definition: {
    ...echoService.definition,
    getUser: { ...echoService.definition.getUser, responseSerializeParts: partsOf },
  },
};
const identity = (parts: MessageParts) => parts;
const readingParts = {
  ...echoService,
  definition: {
    ...inParts.definition,
    getUser: { ...inParts.definition.getUser, responseDeserializeParts: identity },
  },
};

describe.each(transports)('an answer in parts over $kind', ({ kind, make }) => {
  it('is one message for clients that do not read parts', async () => {
    const fixture = await startEcho(
      make(),
      { getUser: () => User.create({ name: 'Ada' }) },
      { service: inParts },
    );
    expect(await fixture.client.getUser(GetUserRequest.create())).toEqual(
      User.create({ id: 'ada', name: 'Ada' }),
    );
    await fixture.stop();
  });

  it('keeps its parts only within one process', async () => {
    const fixture = await startEcho(
      make(),
      { getUser: () => User.create({ name: 'Ada' }) },
      { service: inParts },
    );
    const client = createRpcClient(readingParts, fixture.service.transport);
    const answer: unknown = await client.getUser(GetUserRequest.create());
    const sentAsItIs = Array.isArray(answer) && answer[0] === shared;
    expect(sentAsItIs).toBe(kind === 'in-process');
    if (!sentAsItIs) expect(answer).toEqual(User.create({ id: 'ada', name: 'Ada' }));
    await client.close();
    await fixture.stop();
  });

  it('is limited as a whole', async () => {
    const name = 'a'.repeat(MAX_MESSAGE_BYTES - shared.byteLength);
    const fixture = await startEcho(make(), { getUser: () => User.create({ name }) }, { service: inParts });
    await expect(fixture.client.getUser(GetUserRequest.create())).rejects.toMatchObject({ kind: 'internal' });
    await fixture.stop();
  });
});
