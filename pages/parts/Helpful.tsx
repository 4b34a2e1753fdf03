/** 'Was this page helpful'; shown when scripts run, since the answer is sent by one. */
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
