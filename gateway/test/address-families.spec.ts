import { networkInterfaces } from 'node:os';
import { allAddresses } from '@pulso/platform/process/all-addresses';
import { startGatewayForThisTest } from './support/start-test-gateway.js';

const families = new Set(
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ family }) => family)),
);
const loopback = { IPv4: '127.0.0.1', IPv6: '[::1]' };

// Which families are tried depends on the machine, so the name of the test tells them.
describe(`a gateway on all addresses (${[...families].sort().join(', ')})`, () => {
  it('answers on each family that the machine has', async () => {
    const gateway = await startGatewayForThisTest({ HOST: allAddresses(), PUBLIC_URL: 'http://[::1]:8080' });
    const { port } = new URL(gateway.url);
    for (const family of families) {
      const response = await fetch(`http://${loopback[family]}:${port}/api/config`);
      expect([family, response.status]).toEqual([family, 200]);
    }
  });

  it('chooses IPv4 alone only where there is no IPv6', () => {
    expect(allAddresses()).toBe(families.has('IPv6') ? '::' : '0.0.0.0');
  });
});
