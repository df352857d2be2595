import { jest } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { HttpProblem } from '../errors/http-problem.js';
import { UploadBody } from './upload-body.js';

// Rule: LIMIT-10
describe('the pace of an upload', () => {
  const KB = 1024;
  const pace = { bytes: 256 * KB, bytesWhenCrowded: 1024 * KB, everyMs: 10_000 };
  let isCrowded: boolean;
  let source: PassThrough;
  let body: UploadBody;
  let refused: Error[];

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    [source, refused, isCrowded] = [new PassThrough(), [], false];
    const limits = {
      maxBytes: 100 * 1024 * KB,
      tooLarge: () => new Error('too large'),
      pace,
      isCrowded: () => isCrowded,
      answerMs: 60_000,
    };
    body = new UploadBody(source as unknown as IncomingMessage, limits, (reason) => refused.push(reason));
  });
  afterEach(() => {
    body.destroy();
    clearInterval(body['timer']);
    jest.useRealTimers();
  });

  const send = (bytes: number) => source.write(Buffer.alloc(bytes));
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
  const codes = () => refused.map((reason) => (reason as HttpProblem).code);

  it('is that of the sender, also when it sends in large pieces', async () => {
    body.resume();
    for (let count = 0; count < 3; count += 1) {
      send(256 * KB);
      await pass(10_000);
    }
    expect(codes()).toEqual([]);
    send(255 * KB);
    await pass(10_000);
    expect(codes()).toEqual(['request-timeout']);
  });

  it('is higher while most places are taken, for as long as they are', async () => {
    body.resume();
    isCrowded = true;
    send(1024 * KB);
    await pass(10_000);
    expect(codes()).toEqual([]);
    // Half of the time each.
    send(640 * KB);
    await pass(5_000);
    isCrowded = false;
    await pass(5_000);
    expect(codes()).toEqual([]);
    isCrowded = true;
    send(1023 * KB);
    await pass(10_000);
    expect(codes()).toEqual(['request-timeout']);
  });

  it('is not asked for while media takes nothing, which it may do for a minute', async () => {
    send(1024 * KB);
    await pass(69_999);
    expect(codes()).toEqual([]);
    await pass(1);
    expect(codes()).toEqual(['unavailable']);
  });

  it('is asked for in the part of the time in which media takes what comes', async () => {
    send(1024 * KB);
    await pass(15_000);
    body.resume();
    send(128 * KB);
    await pass(5_000);
    expect(codes()).toEqual([]);
    send(256 * KB);
    await pass(10_000);
    expect(codes()).toEqual([]);
    await pass(10_000);
    expect(codes()).toEqual(['request-timeout']);
  });
});
