import type { IncomingMessage } from 'node:http';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { ProxyNotice } from './proxy-notice.js';

// Rule: LIMIT-14
describe('the warning of a proxy that is not trusted', () => {
  let lines: string[];
  let clock: ManualClock;
  let notice: ProxyNotice;
  beforeEach(() => {
    lines = [];
    clock = new ManualClock();
    notice = new ProxyNotice({ warn: (line: string) => void lines.push(line) } as never, clock);
  });

  const request = (remoteAddress: string, headers: Record<string, string>) =>
    notice.look({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);

  it('is a line at the start where only a proxy can serve the address', () => {
    notice.begin('http://localhost:8080');
    expect(lines).toEqual([]);
    notice.begin('https://pulso.example');
    expect(lines).toEqual([expect.stringMatching(/^TRUSTED_PROXIES is 0, but PUBLIC_URL is https/)]);
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:172.18.0.2', '10.1.2.3', 'fd00::1'])(
    'is a line for a request of %s with a forwarding header',
    (address) => {
      request(address, { host: 'localhost' });
      expect(lines).toEqual([]);
      request(address, { 'x-forwarded-for': '203.0.113.66' });
      expect(lines).toEqual([expect.stringMatching(/^TRUSTED_PROXIES is 0, but requests come through/)]);
    },
  );

  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip'])('notices %s', (name) => {
    request('127.0.0.1', { [name]: 'x' });
    expect(lines).toHaveLength(1);
  });

  it.each(['203.0.113.7', '172.32.0.1', '2001:db8::1', '::ffff:203.0.113.7'])(
    'is nothing for headers that strangers send: %s',
    (address) => {
      request(address, { 'x-forwarded-for': '127.0.0.1' });
      expect(lines).toEqual([]);
    },
  );

  it('comes once an hour', () => {
    const send = () => request('127.0.0.1', { 'x-forwarded-for': '203.0.113.66' });
    for (let count = 0; count < 3; count += 1) send();
    clock.advance(60 * 60_000 - 1);
    send();
    expect(lines).toHaveLength(1);
    clock.advance(1);
    send();
    expect(lines).toHaveLength(2);
  });
});
