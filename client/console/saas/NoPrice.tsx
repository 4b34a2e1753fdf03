/** What a subscription is: said on every page that names one. */
export function NoPrice() {
  return (
    <p className="console-lede">
      The subscription is your consent to be billed by usage, once a day, credits first. It has no price of its own.
    </p>
  );
}
