import { Component, type ReactNode } from 'react';
import { report } from '../../browser/report.ts';
import { Failed } from './Failed.tsx';

/** Shows an error with Retry when a page of the console fails or does not load. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    report('A page of the console failed.', error);
  }

  private retry() {
    // React keeps the failed load, so only a fresh document helps; without a network there would be none.
    if (navigator.onLine) location.reload();
    else this.forceUpdate();
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const { onLine } = navigator;
    const sentence = `${onLine ? '' : 'You are offline. '}This part of the console did not load.`;
    return <Failed sentence={sentence} onRetry={() => this.retry()} />;
  }
}
