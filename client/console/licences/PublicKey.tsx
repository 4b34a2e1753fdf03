import { CopyButton } from '../../ui/CopyButton.tsx';

/** The key that verifies authorization codes, to be copied. */
export function PublicKey({ text }: { text: string }) {
  return (
    <div className="console-copy">
      <code>{text}</code>
      <CopyButton text={text} name="the key" />
    </div>
  );
}
