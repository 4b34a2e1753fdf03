import { CopyButton } from '../../ui/CopyButton.tsx';

/** The public key that verifies authorization codes, with a copy button. */
export function PublicKey({ text }: { text: string }) {
  return (
    <div className="console-copy">
      <code>{text}</code>
      <CopyButton text={text} name="the key" />
    </div>
  );
}
