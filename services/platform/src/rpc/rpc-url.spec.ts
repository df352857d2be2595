import { rpcUrl } from './rpc-url.js';

describe("the setting of a service's address", () => {
  it.each([
    ['posts:50051', 'posts:50051'],
    ['dns:///posts.pulso.svc:50051', 'posts.pulso.svc:50051'],
    ['127.0.0.1:7001', '127.0.0.1:7001'],
    ['127.0.0.1:7001, 127.0.0.1:7002', '127.0.0.1:7001,127.0.0.1:7002'],
    ['[::1]:7001', '[::1]:7001'],
    ['[::1]:7001, [2001:db8::2]:7002', '[::1]:7001,[2001:db8::2]:7002'],
  ])('reads %s', (text, target) => {
    expect(rpcUrl.parse(text)).toBe(target);
  });

  it.each([
    '',
    'posts',
    'posts:0x1',
    'posts:70000',
    'http://posts:1',
    'posts:1,',
    'a:1,b:2',
    'a b:1',
    '::1:7001',
    '[posts]:1',
    '[::1]',
    '[::1]:1,127.0.0.1:2',
  ])('refuses %j', (text) => {
    expect(rpcUrl.safeParse(text).success).toBe(false);
  });
});
