import { Component } from 'react';
import type { ReactNode } from 'react';
import { retryFailedLoads } from './lazy-component.js';

interface Props {
  children: ReactNode;
  /** Stands in for children that broke, or whose code could not be loaded; `retry` shows them again. */
  fallback: ReactNode | ((error: unknown, retry: () => void) => ReactNode);
  /** Another value gives the children another chance: the user has gone somewhere. */
  resetKey?: string;
  onBroken?: () => void;
}

/** Keeps a part that broke, or whose code has been replaced by a new version, from taking what is around it along. */
export class ErrorBoundary extends Component<Props, { broken: boolean; error?: unknown }> {
  override state: { broken: boolean; error?: unknown } = { broken: false };

  static getDerivedStateFromError(error: unknown) {
    return { broken: true, error };
  }

  override componentDidCatch() {
    retryFailedLoads();
    this.props.onBroken?.();
  }

  override componentDidUpdate(previous: Props) {
    if (this.state.broken && previous.resetKey !== this.props.resetKey) this.setState({ broken: false });
  }

  override render() {
    const { children, fallback } = this.props;
    if (!this.state.broken) return children;
    if (typeof fallback !== 'function') return fallback;
    return fallback(this.state.error, () => this.setState({ broken: false }));
  }
}
