import '../../client/styles/message.css';
import { Spinner } from '../../client/ui/Spinner.tsx';

/** Where a single sign-on returns to, and what the visitor sees while it is finished. */
export default function LoadingPage() {
  return (
    <div className="wrap waiting">
      <div role="status">
        <Spinner />
        <h1>Loading</h1>
      </div>
      <p>
        This takes a moment. If nothing happens, start again from <a href="/login">Log in</a>.
      </p>
    </div>
  );
}
