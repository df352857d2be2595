import { publicUrl } from './public-url.js';

describe('PUBLIC_URL', () => {
  it.each([
    ['https://pulso.example', 'https://pulso.example'],
    ['https://pulso.example/', 'https://pulso.example'],
    ['HTTPS://Pulso.Example/', 'https://pulso.example'],
    ['https://pulso.example:443', 'https://pulso.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('%s is %s', (given, origin) => {
    expect(publicUrl.parse(given)).toBe(origin);
  });

  it.each([
    ['https://pulso.example/app', 'must be an origin'],
    ['https://pulso.example//', 'must be an origin'],
    ['https://pulso.example/?', 'must be an origin'],
    ['https://pulso.example/#x', 'must be an origin'],
    ['https://ana@pulso.example', 'must be an origin'],
    ['https://ana:secret@pulso.example/', 'must be an origin'],
    ['ftp://pulso.example', 'must be an http or https URL'],
    ['javascript:alert(1)', 'must be an http or https URL'],
    ['pulso.example', 'must be an http or https URL'],
    ['', 'must be an http or https URL'],
  ])('%j is refused', (given, why) => {
    expect(
      publicUrl
        .safeParse(given)
        .error?.issues.map(({ message }) => message)
        .join(),
    ).toContain(why);
  });
});
