/** Explains what a subscription is, on every page that mentions one. */
export function NoPrice() {
  return (
    <p className="console-lede">
      The subscription is your consent to be billed by usage, once a day, credits first. It has no price of its own.
    </p>
  );
}
