import { copyText } from '../../reading/copy-text.ts';

/** Copies a text and says so. */
export function CopyButton({ text }: { text: string }) {
  return (
    <button type="button" className="button" onClick={({ currentTarget }) => void copyText(currentTarget, () => text)}>
      Copy
    </button>
  );
}
