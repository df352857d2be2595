/** The job that works off endings. A projection that orders one only wakes it. */
export abstract class EndingWorker {
  /** There is work. */
  abstract nudge(): void;
}
