import { Drawing, standardBox } from './Drawing.tsx';

/** Two-way: each site sends its own changes; what came from the other side does not go back. */
export function TwoWay() {
  return (
    <Drawing
      box={standardBox}
      label="Two sites with one job in each direction. A marked change that arrived from the other site is stopped before it would go back."
    >
      <text className="mid" x={64} y={30}>
        Site A
      </text>
      <text className="mid" x={416} y={30}>
        Site B
      </text>
      <path className="wash bare" d="M112 72H368V98H112zM112 182H368V208H112z" />
      <path className="row run" d="M146 85h16m34 0h16m20 0h16m50 0h16" />
      <path className="row live" d="M128 195h16m46 0h16m28 0h16m24 0h16" />
      <path d="M112 72H368M112 98H368M112 182H368M112 208H368" />
      <path d="M16 46V230a4 4 0 0 0 4 4h88a4 4 0 0 0 4-4V208M112 46V72M112 98V182" />
      <path d="M464 46V230a4 4 0 0 1-4 4h-88a4 4 0 0 1-4-4V208M368 46V72M368 98V182" />
      <path
        className="row run"
        d="M30 76h16m8 0h40M30 100h16m8 0h28M30 124h16m8 0h44M30 148h16m8 0h34M386 76h16m8 0h40M386 100h16m8 0h28M386 124h16m8 0h44M386 148h16m8 0h34"
      />
      <path
        className="row live"
        d="M30 172h16m8 0h40M30 196h16m8 0h26M30 220h16m8 0h36M386 172h16m8 0h40M386 196h16m8 0h26M386 220h16m8 0h36"
      />
      <path className="run dash" d="M368 124h-48c-14 0-14 18-14 40" />
      <path d="M296 168h20" />
      <path className="live dash" d="M112 156h48c14 0 14-18 14-40" />
      <path d="M164 112h20" />
      <text className="mid muted" x={240} y={145}>
        no echo
      </text>
    </Drawing>
  );
}
