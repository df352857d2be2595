import { withKnownPort } from './known-port.js';
import { readSettings } from './settings.js';

describe('the port of Pulso', () => {
  it('is chosen before, where something has to know it', async () => {
    const known = await withKnownPort(readSettings({ PORT: '0' }), true);
    expect(known.port).toBeGreaterThan(0);
    expect(known.publicUrl).toBe(`http://localhost:${known.port}`);
  });

  it.each<[string, boolean]>([
    ['18080', true],
    ['0', false],
  ])('is as it is set: %s, asked for: %s', async (PORT, asks) => {
    const given = readSettings({ PORT });
    expect(await withKnownPort(given, asks)).toEqual(given);
  });
});
