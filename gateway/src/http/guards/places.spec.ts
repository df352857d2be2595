import { addressKeys } from '../../rate-limit/address-key.js';
import { Places } from './places.js';

describe('places', () => {
  // Rule: LIMIT-10
  it('are fewer for an owner while more than half of all are taken', () => {
    const places = new Places({ own: [4], crowded: [1], all: 6 });
    const take = (owner: string) => typeof places.take(owner) === 'function';
    expect(Array.from({ length: 5 }, () => take('a'))).toEqual([true, true, true, true, false]);
    expect(places.isCrowded).toBe(true);
    expect([take('b'), take('b'), take('c'), take('d')]).toEqual([true, false, true, false]);
  });

  // Rule: LIMIT-14
  it('are bounded for the networks of an address, too', () => {
    const places = new Places({ own: [9, 2], all: 100 });
    let accounts = 0;
    const take = (address: string) => {
      const taken = places.take(`account-${(accounts += 1)}`, addressKeys(address));
      return typeof taken === 'function' ? taken : undefined;
    };
    const taken = (addresses: string[]) => addresses.filter((address) => take(address)).length;
    const networks = (count: number, ofIndex: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => ofIndex(index));
    // Two of a /64, four of a /56, eight of a /48.
    expect(taken(networks(5, (index) => `2001:db8:0:1::${index}`))).toBe(2);
    expect(taken(networks(5, (index) => `2001:db8:0:a${index}::1`))).toBe(2);
    expect(taken(networks(9, (index) => `2001:db8:0:${index + 1}00::1`))).toBe(4);
    expect(taken(networks(9, (index) => `2001:db8:1:${index + 1}00::1`))).toBe(8);
    expect(taken(networks(5, () => '203.0.113.7'))).toBe(2);
    expect(taken(networks(5, (index) => `203.0.113.${index + 10}`))).toBe(5);
  });

  it('are given back once, for all networks', () => {
    const places = new Places({ own: [1], all: 2 });
    const give = places.take(addressKeys('2001:db8::1'));
    expect(places.take(addressKeys('2001:db8::2'))).toBe('own');
    if (typeof give === 'function') for (let time = 0; time < 2; time += 1) give();
    const again = ['2001:db8::2', '2001:db8:0:1::1', '2001:db8:0:2::1'].map((address) =>
      places.take(addressKeys(address)),
    );
    expect(again).toEqual([expect.any(Function), expect.any(Function), 'own']);
  });
});
