import { startGatewayForThisTest } from './support/start-test-gateway.js';

// Rule: LIMIT-14
it.each([
  [0, [expect.stringContaining('PUBLIC_URL is https'), expect.stringContaining('requests come through')]],
  [1, []],
])('with %i trusted proxies the log says of the one in front: %j', async (TRUSTED_PROXIES, said) => {
  const lines: string[] = [];
  const gateway = await startGatewayForThisTest(
    { TRUSTED_PROXIES },
    { write: (line) => void lines.push(line) },
  );
  const headers = { 'x-forwarded-for': '203.0.113.66' };
  expect((await gateway.call('GET', '/api/config', { headers })).status).toBe(200);
  const warnings = lines
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .filter(({ level }) => level === 'warn');
  expect(warnings.map(({ msg }) => msg)).toEqual(said);
});
