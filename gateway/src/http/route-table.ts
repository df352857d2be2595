import type { RouteOptions } from 'fastify';

/** All routes, to tell an unknown path (404) from a known one asked with another method (405). */
export class RouteTable {
  private readonly routes = new Map<string, { segments: string[]; methods: Set<string> }>();

  add({ url, method }: RouteOptions): void {
    const route = this.routes.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    for (const one of [method].flat()) route.methods.add(one);
    this.routes.set(url, route);
  }

  /** Sorted methods of the path; empty when there is no such path. */
  methodsOf(path: string): string[] {
    const segments = path.split('/');
    const methods = [...this.routes.values()]
      .filter((route) => matches(route.segments, segments))
      .flatMap((route) => [...route.methods]);
    return [...new Set(methods)].sort();
  }
}

function matches(pattern: string[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) =>
    part.startsWith(':') ? segments[index] !== '' : part === segments[index],
  );
}
