import { type WriteMark, noteWrite } from '@pulso/platform/context/request-context';

/** Called after every committed change of public state: the caller will see it, the relay will publish it. */
export class Publication {
  private listener: (mark: WriteMark) => void = () => undefined;

  /** `listener` wakes the relay. */
  connect(listener: (mark: WriteMark) => void): void {
    this.listener = listener;
  }

  committed(topic: { readonly name: string }, key: string, version: number): void {
    const mark = { topic: topic.name, key, version };
    noteWrite(mark);
    this.listener(mark);
  }
}
