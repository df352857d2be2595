import { create, createFileRegistry } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_wrappers,
  type StringValue,
  StringValueSchema,
} from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { GetUserRequest, User } from '@pulso/contracts/identity/v1/identity';
import { connect } from 'node:net';
import { currentContext } from '../../src/context/request-context.js';
import { notFound } from '../../src/errors/domain-error.js';
import { DEFAULT_BUDGET_MS, MAX_MESSAGE_BYTES } from '../../src/rpc/service-definition.js';
import { gate } from '../../testing/gate.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { startEcho, type EchoFixture } from './echo-fixture.js';
import { EchoServiceService } from './echo-service.js';

/** The service as seen by HTTP clients that know the contract and the Connect protocol, but not our metadata. */
describe('a foreign client', () => {
  const clock = new ManualClock();
  let fixture: EchoFixture | undefined;
  let url = '';
  let answer: () => unknown = () => User.create();

  beforeAll(async () => {
    fixture = await startEcho(
      { kind: 'connect', url: '127.0.0.1:0' },
      { getUser: () => answer() },
      { clock },
    );
    const transport = fixture.service.transport;
    if (transport.kind !== 'connect') throw new Error('not Connect');
    expect(transport.url).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
    url = `http://${transport.url}`;
  });

  afterAll(() => fixture?.stop());

  beforeEach(() => {
    answer = () => User.create({ id: 'a' });
  });

  const { path } = EchoServiceService.getUser;
  const message: Buffer<ArrayBuffer> = Buffer.from(GetUserRequest.encode({ id: 'a' }).finish());

  async function call(
    body: Buffer<ArrayBuffer> | ReadableStream = message,
    headers: Record<string, string> = {},
    at = path,
  ) {
    const response = await fetch(url + at, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/proto', ...headers },
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    });
    const type = response.headers.get('content-type');
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      user: type === 'application/proto' ? User.decode(bytes) : undefined,
      error:
        type === 'application/json'
          ? (JSON.parse(bytes.toString()) as { code: string; message: string })
          : undefined,
    };
  }

  it('needs no metadata and still gets a deadline', async () => {
    let deadline = 0;
    answer = () => {
      deadline = currentContext()!.deadline;
      return User.create({ id: 'a' });
    };
    expect((await call()).user?.id).toBe('a');
    expect(deadline - clock.now()).toBe(DEFAULT_BUDGET_MS);
    await call(message, { 'connect-timeout-ms': '4321' });
    expect(deadline - clock.now()).toBe(4_321);
  });

  it('understands errors by their code and status', async () => {
    answer = () => {
      throw notFound('No such user');
    };
    const { status, error } = await call();
    expect(status).toBe(404);
    expect(error).toEqual({ code: 'not_found', message: 'No such user' });
  });

  it('gets an error for bytes that cannot be decoded', async () => {
    const malformed = {
      status: 400,
      error: { code: 'invalid_argument', message: 'The request could not be read.' },
    };
    expect(await call(Buffer.from([0x0a, 0xff, 0xff, 0xff]))).toMatchObject(malformed);
    const after = Buffer.from('[{"topic":1}]').toString('base64');
    expect(await call(message, { 'pulso-after-bin': after })).toMatchObject(malformed);
  });

  it.each([
    ['an unknown method', {}, '/pulso.test.v1.EchoService/Nothing', 501, 'unimplemented'],
    ['another version of the protocol', { 'connect-protocol-version': '2' }, path, 400, 'invalid_argument'],
    ['a deadline that is none', { 'connect-timeout-ms': '1.5' }, path, 400, 'invalid_argument'],
    ['a deadline of 11 digits', { 'connect-timeout-ms': '12345678901' }, path, 400, 'invalid_argument'],
    ['a compressed message', { 'content-encoding': 'gzip' }, path, 501, 'unimplemented'],
  ])('gets an error for %s', async (_, headers, at, status, code) => {
    expect(await call(message, headers, at)).toMatchObject({ status, error: { code } });
  });

  it.each([
    ['another type of content', 'POST', { 'content-type': 'application/json' }, 415],
    ['another method of HTTP', 'PUT', { 'content-type': 'application/proto' }, 405],
    [
      'headers above 64 KiB',
      'POST',
      { 'content-type': 'application/proto', 'x-long': 'a'.repeat(65_536) },
      431,
    ],
  ])('is refused for %s', async (_, method, headers, status) => {
    const response = await fetch(url + path, { method, headers, body: message });
    await response.arrayBuffer();
    expect(response.status).toBe(status);
  });

  it('gets an error for a message above 4 MiB, whether it says the length or not', async () => {
    const tooLarge = { status: 429, error: { code: 'resource_exhausted' } };
    const chunk = new Uint8Array(MAX_MESSAGE_BYTES / 4);
    expect(await answerTo('content-length: 4194305', [])).toContain('"code":"resource_exhausted"');
    let left = 5;
    const stream = new ReadableStream({
      pull: (controller) => {
        left -= 1;
        if (left >= 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    expect(await call(stream)).toMatchObject(tooLarge);
  });

  it('that does not speak HTTP is told so', async () => {
    expect(await answerTo('\u0001\u0002', [])).toContain('400 Bad Request');
  });

  it('that hangs up ends its call', async () => {
    const entered = gate('the begin of the call');
    const ended = gate('the end of the call');
    answer = () => {
      currentContext()!.cancellation.onEnd(() => ended.open());
      entered.open();
      return new Promise(() => undefined);
    };
    const hangUp = new AbortController();
    const asked = fetch(url + path, {
      method: 'POST',
      body: message,
      headers: { 'content-type': 'application/proto' },
      signal: hangUp.signal,
    });
    await entered.opened;
    hangUp.abort();
    await expect(asked).rejects.toThrow();
    await ended.opened;
  });

  it('can ask whether the process is there', async () => {
    const response = await fetch(`${url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(405);
  });

  it("may be Connect's own library", async () => {
    const client = libraryClient(url);
    answer = () => User.create({ id: 'seen by the library' });
    expect((await client.getUser!(create(StringValueSchema, { value: 'a' }))).value).toBe(
      'seen by the library',
    );
    answer = () => {
      throw notFound('No such user');
    };
    const error: unknown = await client.getUser!(create(StringValueSchema, { value: 'a' })).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ConnectError);
    expect(error).toMatchObject({ code: Code.NotFound, rawMessage: 'No such user' });
  });

  /** What a client reads that sends a request with this header and these bytes. */
  function answerTo(header: string, body: Uint8Array | readonly number[]): Promise<string> {
    const { port } = new URL(url);
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: echo\r\ncontent-type: application/proto\r\n${header}\r\n\r\n`,
        );
        socket.write(Buffer.from(body));
      });
      socket.on('data', (bytes) => (text += bytes.toString()));
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });
  }
});

/** The messages are read as `google.protobuf.StringValue`, whose field 1 is theirs, too: the user's id. */
function libraryClient(baseUrl: string): Record<string, (request: StringValue) => Promise<StringValue>> {
  const type = '.google.protobuf.StringValue';
  const file = create(FileDescriptorProtoSchema, {
    name: 'echo.proto',
    package: 'pulso.test.v1',
    syntax: 'proto3',
    dependency: ['google/protobuf/wrappers.proto'],
    service: [{ name: 'EchoService', method: [{ name: 'GetUser', inputType: type, outputType: type }] }],
  });
  const files = create(FileDescriptorSetSchema, { file: [file_google_protobuf_wrappers.proto, file] });
  const service = createFileRegistry(files).getService('pulso.test.v1.EchoService')!;
  return createClient(service, createConnectTransport({ baseUrl, httpVersion: '1.1' })) as never;
}
