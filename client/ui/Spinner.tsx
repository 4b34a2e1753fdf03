import '../styles/spinner.css';

/** A wheel that turns once in 3 s, driven by water that passes in 1.5 s; still under reduced motion. */
export function Spinner() {
  return (
    <svg className="spinner" viewBox="0 0 64 64" aria-hidden="true">
      <g className="spinner-wheel">
        <circle cx="32" cy="28" r="16" />
        <circle cx="32" cy="28" r="3" />
        <path d="M32 25V6M32 31v19M35 28h19M29 28H10M34.1 25.9l13.5-13.5M29.9 30.1 16.4 43.6M34.1 30.1l13.5 13.5M29.9 25.9 16.4 12.4" />
      </g>
      <path className="spinner-water" d="M2 54h60" />
      <path className="spinner-water spinner-water-low" d="M2 60h60" />
    </svg>
  );
}
