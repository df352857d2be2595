import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { deviceName, deviceNames, isPhone } from './device-name.js';
import { useAccountTexts } from './texts.js';

const devices = JSON.parse(
  readFileSync(new URL('../../../../proto/test/devices.json', import.meta.url), 'utf8'),
) as { userAgent: string; browser: string; system: string }[];

// Rule: ACCT-22
describe('a device', () => {
  it.each(devices)('that says $userAgent is $browser on $system', ({ userAgent, ...names }) =>
    expect(deviceNames(userAgent)).toEqual(names),
  );

  it.each([
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'],
    ['Android', 'Mozilla/5.0 (Linux; U; Android 4.4; xx)'],
    ['Firefox', 'Firefox/132.0'],
    ['Unknown device', 'curl/8.5.0'],
  ])('is called %s', (name, userAgent) =>
    expect(deviceName(userAgent, useAccountTexts().settings)).toBe(name),
  );

  it('is a phone or a tablet by its system', () => {
    expect(isPhone('Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X)')).toBe(true);
    expect(isPhone('Mozilla/5.0 (Linux; Android 10; K)')).toBe(true);
    expect(isPhone('Mozilla/5.0 (X11; Linux x86_64)')).toBe(false);
  });
});
