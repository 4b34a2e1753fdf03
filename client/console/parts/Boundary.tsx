import { Component, type ReactNode } from 'react';
import { report } from '../../browser/report.ts';
import { Failed } from './Failed.tsx';

/** Shows a text with Retry where a page of the console fails or does not load. */
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
    // A file that did not load is asked for again by a fresh document only.
    return <Failed sentence="This part of the console did not load." onRetry={() => location.reload()} />;
  }
}
