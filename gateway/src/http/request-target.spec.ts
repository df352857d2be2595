import { readTarget, type TargetedRequest } from './request-target.js';

// Rule: HTTP-14
describe('the target of a request', () => {
  const read = (url: string) => {
    const request = { url } as TargetedRequest;
    readTarget(request);
    return [request.url, request.originalUrl];
  };

  it.each(['/', '/api/posts/x?a=b', '//double', '/http://x/y', '/%z'])(
    'stays, where it is a path: %s',
    (url) => {
      expect(read(url)).toEqual([url, undefined]);
    },
  );

  it.each([
    ['http://pulso.example/api/config', '/api/config'],
    ['HTTPS://pulso.example:8443/api/config?a=b', '/api/config?a=b'],
    ['http://pulso.example', '/'],
    ['http://pulso.example?a=/b', '/?a=/b'],
    ['http://[::1]:8080/x', '/x'],
    ['http://u:p@pulso.example//x', '//x'],
  ])('in absolute form is its path: %s', (url, path) => {
    expect(read(url)).toEqual([path, undefined]);
  });

  it.each([
    '*',
    '*api/config',
    '',
    'ftp://x/api/config',
    'http://',
    'http:///x',
    'http://[::/x',
    'http://x:99999/',
  ])('without a path leads nowhere: %j', (url) => {
    expect(read(url)).toEqual(['/-/nowhere', url]);
  });
});
