/** A tank at both ends of a channel. */
function Ends({ y }: { y: number }) {
  return <path d={`M16 ${y - 24}v48h44v-48M420 ${y - 24}v48h44v-48`} />;
}

/** Buckets once a night, four machines in a row, one channel. */
export function ThreeWays({ brand }: { brand: string }) {
  return (
    <svg
      className="drawing"
      viewBox="15 8 450 284"
      width={450}
      height={284}
      role="img"
      aria-label={`Three ways from source to target: two batches far apart, a chain of four systems, and one channel, ${brand}.`}
    >
      <text x={16} y={22}>
        Batch
      </text>
      <Ends y={62} />
      <path className="faint dash" d="M60 62H420" />
      <path className="paper" d="M112 46h48l-6 32h-36zM320 46h48l-6 32h-36z" />
      <path className="row run" d="M122 66h28M330 66h28" />
      <text x={16} y={124}>
        Your own stack
      </text>
      <Ends y={164} />
      <path className="faint" d="M60 164H420" />
      <path className="paper" d="M92 146h48v36H92zM176 146h48v36h-48zM256 146h48v36h-48zM340 146h48v36h-48z" />
      <path className="row run" d="M68 164h14M150 164h14M234 164h12M314 164h14M396 164h14" />
      <text className="run" x={16} y={226}>
        {brand}
      </text>
      <path className="wash bare" d="M60 256H420v24H60z" />
      <Ends y={266} />
      <path className="faint" d="M60 256H420M60 280H420" />
      <path className="row live" d="M76 268h16m22 0h16m40 0h16m14 0h16m52 0h16m20 0h16m34 0h16" />
    </svg>
  );
}
