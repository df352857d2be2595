import type { RouteOptions } from 'fastify';
import { RouteTable } from './route-table.js';

const table = new RouteTable();
const routes: [string, string | string[]][] = [
  ['/api/posts', 'POST'],
  ['/api/posts/:id', ['GET', 'HEAD']],
  ['/api/posts/:id', 'DELETE'],
  ['/api/posts/:id/like', 'PUT'],
];
for (const [url, method] of routes) table.add({ url, method } as RouteOptions);

describe('RouteTable', () => {
  it.each([
    ['/api/posts', ['POST']],
    ['/api/posts/x', ['DELETE', 'GET', 'HEAD']],
    ['/api/posts/x/like', ['PUT']],
    ['/api/posts/', []],
    ['/api/posts/x/y', []],
    ['/api', []],
  ])('knows the methods of %s', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });
});
