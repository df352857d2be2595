import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { Connections, connectionsPerAddress } from './connections.js';

class FakeSocket extends EventEmitter {
  destroyed = false;
  bytesWritten = 0;
  constructor(readonly remoteAddress: string) {
    super();
  }
  destroy() {
    this.destroyed = true;
  }
  destroySoon() {
    this.destroy();
  }
  resetAndDestroy() {
    this.destroySoon();
  }
}

const server = new EventEmitter();

function opener(perAddress: number, all: number) {
  const connections = new Connections({ perAddress, all });
  server.removeAllListeners();
  connections.watch(server as Server);
  const open = (address: string, { busy = false } = {}) => {
    const socket = new FakeSocket(address);
    server.emit('connection', socket);
    if (busy) server.emit('request', { socket }, new EventEmitter());
    return socket;
  };
  return { connections, open };
}

// Rule: LIMIT-12
describe('connections', () => {
  it('are ended for new ones at 80 % of all: the longest idle one of whoever has most of them', () => {
    const { connections, open } = opener(100, 10);
    const few = open('192.0.2.1');
    const many = Array.from({ length: 7 }, (_, index) => open(`2001:db8::${index}`));
    expect(connections.isCrowded).toBe(true);
    const added = [open('192.0.2.2'), open('192.0.2.3')];
    expect([few, ...added].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    expect(many.map(({ destroyed }) => destroyed)).toEqual([true, true, ...Array(5).fill(false)]);
  });

  // Rule: LIMIT-14
  it('of an IPv6 address are bounded for its larger networks, too', () => {
    const { open } = opener(1, 100);
    const networks = (count: number, ofIndex: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => open(ofIndex(index), { busy: true }));
    const held = (sockets: FakeSocket[]) => sockets.filter(({ destroyed }) => !destroyed).length;
    expect(held(networks(3, (index) => `2001:db8:0:1::${index}`))).toBe(1);
    expect(held(networks(3, (index) => `2001:db8:0:a${index}::1`))).toBe(1);
    expect(held(networks(6, (index) => `2001:db8:0:${index + 1}00::1`))).toBe(2);
    expect(held(networks(3, (index) => `::ffff:203.0.113.${index}`))).toBe(3);
  });

  // Rule: LIMIT-14
  it('of many networks of one subscriber are ended before those of others', () => {
    const { open } = opener(100, 10);
    const few = [open('192.0.2.1'), open('192.0.2.1')];
    const many = Array.from({ length: 6 }, (_, index) => open(`2001:db8:0:${index + 1}00::1`));
    open('192.0.2.2');
    expect(few.map(({ destroyed }) => destroyed)).toEqual([false, false]);
    expect(many.map(({ destroyed }) => destroyed)).toEqual([true, ...Array(5).fill(false)]);
  });

  it('are refused when as many as there may be are busy', () => {
    const { open } = opener(100, 4);
    const busy = Array.from({ length: 4 }, (_, index) => open(`192.0.2.${index}`, { busy: true }));
    expect(open('192.0.2.9').destroyed).toBe(true);
    busy[0]!.emit('close');
    expect(open('192.0.2.9').destroyed).toBe(false);
    expect(busy.filter(({ destroyed }) => destroyed)).toEqual([]);
  });

  it('of an address are as many as its limits allow, and those of a proxy are not counted', () => {
    expect(connectionsPerAddress(1, 0)).toBe(1_000);
    expect(connectionsPerAddress(2.5, 0)).toBe(2_500);
    expect(connectionsPerAddress(0.01, 0)).toBe(1_000);
    expect(connectionsPerAddress(0, 0)).toBe(Infinity);
    expect(connectionsPerAddress(1, 1)).toBe(Infinity);
  });
});
