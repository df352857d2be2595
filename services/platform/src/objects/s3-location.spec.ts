import { s3Location } from './s3-location.js';

const read = (url: string) => s3Location.safeParse(url);

describe('the setting of a bucket', () => {
  it('names server, bucket, key and secret', () => {
    const url = 'https://AKIA:a%2Fb%2Bc@s3.example.org/pulso-media';
    expect(read(url).data).toEqual({
      ...{ host: 's3.example.org', port: undefined, useTls: true, region: 'us-east-1', pathStyle: true },
      ...{ accessKey: 'AKIA', secretKey: 'a/b+c', bucket: 'pulso-media', url },
    });
  });

  it.each([
    ['http://k:s@127.0.0.1:9000/pulso', { host: '127.0.0.1', port: 9000, useTls: false }],
    ['http://k:s@[::1]:9000/pulso/', { host: '::1', port: 9000, bucket: 'pulso' }],
    ['https://k:s@s3.example.org/pulso?region=eu-west-1', { region: 'eu-west-1', pathStyle: true }],
    ['https://k:s@s3.example.org/pulso?style=virtual', { region: 'us-east-1', pathStyle: false }],
    ['https://k:s@s3.example.org/pulso?style=path&region=', { region: 'us-east-1', pathStyle: true }],
  ])('may be %s', (url, location) => {
    expect(read(url).data).toMatchObject(location);
  });

  it.each([
    ['s3.example.org/pulso', 'must be an http:// or https:// URL'],
    ['s3://k:hush@host/pulso', 'must be an http:// or https:// URL'],
    ['https://k@s3.example.org/pulso', 'must name a key and a secret'],
    ['https://k:hush%@s3.example.org/pulso', 'must name a key and a secret'],
    ['https://k:hush@s3.example.org', 'must end with the name of a bucket'],
    ['https://k:hush@s3.example.org/a/b', 'must end with the name of a bucket'],
    ['https://k:hush@s3.example.org/Pulso', 'must end with the name of a bucket'],
    ['https://k:hush@s3.example.org/pulso?tls=false', 'may have the options region'],
    ['https://k:hush@s3.example.org/pulso?style=other', 'may have the options region'],
  ])('is not %s', (url, message) => {
    const text = String(read(url).error?.issues[0]?.message);
    expect(text).toContain(message);
    expect(text).not.toContain('hush');
  });
});
