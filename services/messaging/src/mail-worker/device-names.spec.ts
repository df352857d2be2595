import { readFileSync } from 'node:fs';
import { deviceNames } from './device-names.js';

const devices = JSON.parse(
  readFileSync(new URL('../../../../proto/test/devices.json', import.meta.url), 'utf8'),
) as { userAgent: string; browser: string; system: string }[];

// Rule: MAIL-13
it.each(devices)('a device that says $userAgent is $browser on $system', ({ userAgent, ...names }) => {
  expect(deviceNames(userAgent)).toEqual(names);
});

it('is never called by words of its own', () => {
  expect(deviceNames('Mozilla/5.0 (Windows\r\nBcc: eve) Your-Bank/1.0')).toEqual({
    browser: '',
    system: 'Windows',
  });
});
