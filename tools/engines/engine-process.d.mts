/** An engine that can be stopped, killed and started again on its port and data. */
export interface Engine {
  readonly pid: number | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}
