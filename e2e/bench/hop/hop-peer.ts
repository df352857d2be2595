import type { MessageHandler } from '@nestjs/microservices';
import { Cancellation } from '@pulso/platform/context/cancellation';
import { createLogger } from '@pulso/platform/logging/logger';
import { RpcEndpoint } from '@pulso/platform/rpc/rpc-endpoint';
import { noRpcMetrics } from '@pulso/platform/rpc/rpc-metrics';
import { joined } from '@pulso/platform/rpc/service-definition';
import { systemClock } from '@pulso/platform/time/clock';
import { pathOf, SERVICE } from './hop-way.js';
import { WAYS } from './hop-ways.js';

// One side of a way, in a process of its own: `<way> server`, or `<way> client <port>`. Talks to its parent by IPC.
const [name, role, port] = process.argv.slice(2);
const way = WAYS[name!]!;
const CONCURRENCY = 10;
const ANSWERS = { page: Buffer.alloc(18_000, 'a feed page '), small: Buffer.alloc(60, 'an answer ') };

async function serve(): Promise<void> {
  const asIs = (bytes: Uint8Array) => bytes as Buffer;
  const definition = Object.fromEntries(
    Object.keys(ANSWERS).map((method) => [
      method,
      {
        path: pathOf(method),
        requestStream: false,
        responseStream: false,
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
        responseDeserialize: asIs,
      },
    ]),
  );
  const handlers = Object.entries(ANSWERS).map(([method, answer]): [string, MessageHandler] => [
    method,
    async () => answer as never,
  ]);
  const parts = {
    options: {
      service: { name: SERVICE, definition, reads: new Set(Object.keys(ANSWERS)) },
      verifier: { verify: async () => ({ userId: 'a', sessionId: 'b' }) } as never,
      waits: { readMs: 1_000, writeMs: 1_000 },
      clock: systemClock,
      logger: createLogger({ service: 'hop', level: 'silent' }),
      metrics: noRpcMetrics,
    },
    handlers: new Map(handlers),
  };
  const endpoint = new RpcEndpoint(parts.options, parts.handlers);
  const served = await way.serve((call) => endpoint.unary(call), parts);
  process.on('message', () => process.send!(process.cpuUsage()));
  process.send!(served);
}

const REQUEST = Buffer.alloc(40, 'a request ');
const METADATA = {
  'x-request-id': '0193f0a2-5c1b-7d7e-9a53-6c1f7f6f3b11',
  authorization: `Bearer ${'a'.repeat(420)}`,
};

function call(): void {
  const client = way.connect(Number(port));
  const one = async (method: keyof typeof ANSWERS) => {
    const { message } = await client.unary({
      method,
      request: REQUEST,
      metadata: METADATA,
      budgetMs: 4_000 + Math.random() * 1_000,
      cancellation: new Cancellation(),
    });
    if (joined(message).byteLength !== ANSWERS[method].byteLength) throw new Error(`${name}: a wrong answer`);
  };
  const many = async ({ method, calls }: { method: keyof typeof ANSWERS; calls: number }) => {
    let left = calls;
    const before = process.cpuUsage();
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (; left > 0;) {
          left -= 1;
          await one(method);
        }
      }),
    );
    process.send!(process.cpuUsage(before));
  };
  process.on('message', (asked: Parameters<typeof many>[0]) => void many(asked));
  process.send!({});
}

if (role === 'server') await serve();
else call();
