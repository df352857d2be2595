import { describe, expect, it } from '@jest/globals';
import { deviceName, isPhone } from './device-name.js';
import { useAccountTexts } from './texts.js';

const { settings } = useAccountTexts();
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IOS = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

// Rule: ACCT-22
describe('a device in plain words', () => {
  it.each([
    [
      'Chrome on Windows',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`,
    ],
    [
      'Edge on Windows',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    ],
    [
      'Opera on Linux',
      `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0`,
    ],
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'],
    [
      'Chrome on Linux',
      `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/131.0.0.0 Safari/537.36`,
    ],
    [
      'Chrome on ChromeOS',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`,
    ],
    ['Safari on Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${IOS} Version/18.1 Safari/605.1.15`],
    [
      'Safari on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${IOS} Version/18.1 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Chrome on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${IOS} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Firefox on iPad',
      `Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) ${IOS} FxiOS/132.0 Mobile/15E148 Safari/605.1.15`,
    ],
    [
      'Chrome on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`,
    ],
    [
      'Samsung Internet on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    ],
    ['Android', 'Mozilla/5.0 (Linux; U; Android 4.4; xx)'],
    ['curl', 'curl/8.5.0'],
    ['node', 'node'],
    ['Unknown device', 'Mozilla/5.0'],
    ['Unknown device', ''],
    ['Unknown device', '<b>me</b>'],
  ])('is %s', (name, userAgent) => expect(deviceName(userAgent, settings)).toBe(name));

  it('is a phone or a tablet by its system', () => {
    expect(isPhone('Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X)')).toBe(true);
    expect(isPhone('Mozilla/5.0 (Linux; Android 10; K)')).toBe(true);
    expect(isPhone('Mozilla/5.0 (X11; Linux x86_64)')).toBe(false);
  });
});
