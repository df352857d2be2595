import { Client, Metadata, credentials, status, type ServiceError } from '@grpc/grpc-js';
import { GetUserRequest, User } from '@pulso/contracts/identity/v1/identity';
import { currentContext } from '../../src/context/request-context.js';
import { notFound } from '../../src/errors/domain-error.js';
import { DEFAULT_BUDGET_MS } from '../../src/rpc/service-definition.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { startEcho, type EchoFixture } from './echo-fixture.js';
import { EchoServiceService } from './echo-service.js';

/** The service as seen by a gRPC client that knows the contract but not our metadata. */
describe('a foreign gRPC client', () => {
  const clock = new ManualClock();
  let fixture: EchoFixture | undefined;
  let client: Client | undefined;
  let answer: () => unknown = () => User.create();

  beforeAll(async () => {
    fixture = await startEcho({ kind: 'grpc', url: '127.0.0.1:0' }, { getUser: () => answer() }, { clock });
    const transport = fixture.service.transport;
    if (transport.kind !== 'grpc') throw new Error('not gRPC');
    expect(transport.url).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
    client = new Client(transport.url, credentials.createInsecure());
  });

  afterAll(async () => {
    client?.close();
    await fixture?.stop();
  });

  function call(
    path: string,
    request: Buffer,
    metadata = new Metadata(),
  ): Promise<{ error?: ServiceError; user?: User }> {
    const same = (bytes: Buffer) => bytes;
    return new Promise((resolve) => {
      client!.makeUnaryRequest(path, same, User.decode, request, metadata, (error, user) =>
        resolve({ error: error ?? undefined, user }),
      );
    });
  }

  const { path } = EchoServiceService.getUser;
  const request = Buffer.from(GetUserRequest.encode({ id: 'a' }).finish());

  it('needs no metadata and still gets a deadline', async () => {
    let deadline = 0;
    answer = () => {
      deadline = currentContext()!.deadline;
      return User.create({ id: 'a' });
    };
    expect((await call(path, request)).user?.id).toBe('a');
    expect(deadline - clock.now()).toBe(DEFAULT_BUDGET_MS);
  });

  it('understands errors by their status', async () => {
    answer = () => {
      throw notFound('No such user');
    };
    expect((await call(path, request)).error).toMatchObject({
      code: status.NOT_FOUND,
      details: 'No such user',
    });
  });

  it('gets an error for bytes that cannot be decoded', async () => {
    const { error } = await call(path, Buffer.from([0x0a, 0xff, 0xff, 0xff]));
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, details: 'The request could not be read.' });
    const metadata = new Metadata();
    metadata.set('pulso-after-bin', Buffer.from('[{"topic":1}]'));
    expect((await call(path, request, metadata)).error?.code).toBe(status.INVALID_ARGUMENT);
  });

  it('gets an error for an unknown method', async () => {
    expect((await call('/pulso.test.v1.EchoService/Nothing', request)).error?.code).toBe(
      status.UNIMPLEMENTED,
    );
  });
});
