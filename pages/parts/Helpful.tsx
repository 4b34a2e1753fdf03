/** 'Was this page helpful'; shown only if scripts run, since a script sends the answer. */
export function Helpful() {
  return (
    <p className="helpful" data-needs-js="">
      Was this page helpful?
      <button type="button" className="button" data-helpful="yes">
        Yes
      </button>
      <button type="button" className="button" data-helpful="no">
        No
      </button>
    </p>
  );
}
