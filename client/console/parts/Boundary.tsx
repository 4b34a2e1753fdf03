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

  override render() {
    if (!this.state.failed) return this.props.children;
    // The browser requests a file that failed to load again only in a fresh document.
    return <Failed sentence="This part of the console did not load." onRetry={() => location.reload()} />;
  }
}
