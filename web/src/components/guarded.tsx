import { Component, type ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface State {
  readonly error?: Error;
}

/** Catches what a page throws. React still wants a class for that. */
export class Guarded extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <ErrorNotice error={this.state.error} onRetry={() => location.reload()} />;
  }
}
