import { KeyedSlots } from '@pulso/platform/limits/keyed-slots';
import { addressKeys } from '../../rate-limit/address-key.js';
import { addressSlots } from './address-slots.js';

const slotsOf = (total: number) => new KeyedSlots(() => ({ total, waiting: 0, waitMs: 0 }));

describe('slots of addresses', () => {
  // Rule: LIMIT-10
  it('are fewer for an address while more than half of all are taken', () => {
    const slots = slotsOf(6);
    const share = { perAddress: 4, perAddressWhenCrowded: 1 };
    const take = (address: string) =>
      typeof slots.tryTake(addressSlots(addressKeys(address), share)) === 'function';
    expect(Array.from({ length: 5 }, () => take('a'))).toEqual([true, true, true, true, false]);
    expect(slots.isCrowded).toBe(true);
    expect([take('b'), take('b'), take('c'), take('d')]).toEqual([true, false, true, false]);
  });

  // Rule: LIMIT-14
  it('are bounded for the networks of an address, too', () => {
    const slots = slotsOf(100);
    let accounts = 0;
    const take = (address: string) => {
      const account = { key: `account-${(accounts += 1)}`, most: 9 };
      const taken = slots.tryTake([account, ...addressSlots(addressKeys(address), { perAddress: 2 })]);
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
    const slots = slotsOf(2);
    const take = (address: string) => slots.tryTake(addressSlots(addressKeys(address), { perAddress: 1 }));
    const give = take('2001:db8::1');
    expect(take('2001:db8::2')).toBe('key');
    if (typeof give === 'function') for (let time = 0; time < 2; time += 1) give();
    const again = ['2001:db8::2', '2001:db8:0:1::1', '2001:db8:0:2::1'].map(take);
    expect(again).toEqual([expect.any(Function), expect.any(Function), 'key']);
  });
});
