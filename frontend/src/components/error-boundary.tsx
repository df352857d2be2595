import { Component } from 'react';
import type { ReactNode } from 'react';
import { retryFailedLoads } from './lazy-component.js';

interface Props {
  children: ReactNode;
  /** Shown when the children throw or their code cannot be loaded; `retry` renders them again. */
  fallback: ReactNode | ((error: unknown, retry: () => void) => ReactNode);
  /** A new value renders the children again, for example after a navigation. */
  resetKey?: string;
  onBroken?: () => void;
}

/** Limits the damage of a component that throws, or whose code cannot be loaded, to this part of the page. */
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
