/** An error text, with Retry if trying again may help. */
export function Failed({ sentence, onRetry }: { sentence: string; onRetry?: () => void }) {
  return (
    <div className="retry" role="alert">
      <p>{sentence}</p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Retry
        </button>
      )}
    </div>
  );
}
