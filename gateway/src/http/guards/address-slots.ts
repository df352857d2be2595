import type { SlotKey } from '@pulso/platform/limits/keyed-slots';
import type { Address } from '../../rate-limit/address-key.js';

/** How many slots, or waiters, one address may have. */
export interface AddressShare {
  perAddress: number;
  /** The same while more than half of all are taken, so that few addresses cannot take the rest. */
  perAddressWhenCrowded?: number;
}

/**
 * The keys under which the slots of an address are counted, apart from those of accounts: a larger network has a multiple of the
 * share (LIMIT-14).
 */
export function addressSlots(address: Address, running: AddressShare, waiting?: AddressShare): SlotKey[] {
  return address.map(({ key, times }) => ({
    ...shareOf(running, times),
    key: `address ${key}`,
    waiting: waiting && shareOf(waiting, times),
  }));
}

const shareOf = ({ perAddress, perAddressWhenCrowded = perAddress }: AddressShare, times: number) => ({
  most: perAddress * times,
  mostWhenCrowded: perAddressWhenCrowded * times,
});
