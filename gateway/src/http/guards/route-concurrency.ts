/** More than a feed page ever has at its best throughput, and few enough to answer all of them within 250 ms. */
const MAX_PER_ROUTE = 200;

/**
 * The requests under way of each route, so that more than can be served are refused at once (LIMIT-9). By route: slow
 * calls, such as logins that wait for their turn, must not use up the places of quick ones.
 */
export class RouteConcurrency {
  private readonly routes = new Map<string, number>();

  constructor(private readonly most = MAX_PER_ROUTE) {}

  isFull(route: string): boolean {
    return (this.routes.get(route) ?? 0) >= this.most;
  }

  /** False, and nothing is counted, when the route is full. Each true needs one `leave`. */
  enter(route: string): boolean {
    const count = this.routes.get(route) ?? 0;
    if (count >= this.most) return false;
    this.routes.set(route, count + 1);
    return true;
  }

  leave(route: string): void {
    this.routes.set(route, this.routes.get(route)! - 1);
  }
}
