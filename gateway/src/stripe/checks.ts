import { requireCaller } from '@pulso/platform/context/request-context';
import { DomainError, permissionDenied, validationFailed } from '@pulso/platform/errors/domain-error';

/** This installation takes no payments (SUBS-3). */
export const notConfigured = () =>
  new DomainError('payments-not-configured', 'Payments are not set up on this server.');

/** A user id in a body names the caller (SUBS-21). Throws permission-denied. */
export function ownId(id: string): void {
  if (id !== requireCaller().userId) throw permissionDenied();
}

/** A checkout's coach is anybody but the caller (SUBS-21). Throws cannot-subscribe-self. */
export function otherId(id: string): void {
  if (id !== requireCaller().userId) return;
  throw new DomainError('cannot-subscribe-self', 'You cannot subscribe to yourself.');
}

/** Where a provider sends browsers back to is on Pulso's own origin (SUBS-21). Throws validation-failed. */
export class OwnAddresses {
  private readonly origin: string;
  private readonly protocol: string;

  constructor(publicUrl: string) {
    const { origin, protocol } = new URL(publicUrl);
    this.origin = origin;
    this.protocol = protocol;
  }

  check(addresses: Readonly<Record<string, string>>): void {
    const foreign = Object.entries(addresses).filter(([, address]) => !this.isOwn(address));
    if (foreign.length === 0) return;
    throw validationFailed(
      foreign.map(([path]) => ({
        path,
        message: `Must be an address on ${this.origin}`,
        code: 'foreign-origin',
      })),
    );
  }

  private isOwn(address: string): boolean {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || url.username !== '' || url.password !== '') return false;
    // A blob: address has the origin of the page that made it.
    return url.protocol === this.protocol && url.origin === this.origin;
  }
}
