import { deviceKey } from './sign-in-devices.js';

const chrome = (version: string, system = 'Windows NT 10.0; Win64; x64') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;

describe('a device', () => {
  it('is the same after an update', () => {
    expect(deviceKey(chrome('141.0.0.0'))).toEqual(deviceKey(chrome('140.0.7339.80')));
    const phone = (version: string) =>
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 Safari/604.1`;
    expect(deviceKey(phone('18_5'))).toEqual(deviceKey(phone('26_1_2')));
  });

  it('is another one with another browser or system', () => {
    const all = [
      chrome('141.0.0.0'),
      `${chrome('141.0.0.0')} Edg/141.0.0.0`,
      chrome('141.0.0.0', 'X11; Linux x86_64'),
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
      '',
    ];
    expect(new Set(all.map((one) => deviceKey(one).toString('hex'))).size).toBe(all.length);
  });
});
