import '../../../client/styles/architecture.css';
import type { TitledText } from '../../../client/contract/page-texts.ts';
import type { Arrow, Layout, Rect } from './layout.ts';
import { layOut } from './layout.ts';
import type { Box, Plan } from './plan.ts';

const cap = 7;

function BoxShape({ box }: { box: Box & Rect }) {
  const { x, y, width, height } = box;
  if (box.kind === 'step') return <rect className="plan-box" x={x} y={y} width={width} height={height} rx="6" />;
  return (
    <>
      <path
        className="plan-box"
        d={`M${x} ${y + cap}v${height - 2 * cap}a${width / 2} ${cap} 0 0 0 ${width} 0V${y + cap}`}
      />
      <ellipse className="plan-box" cx={x + width / 2} cy={y + cap} rx={width / 2} ry={cap} />
    </>
  );
}

function BoxText({ box }: { box: Box & Rect }) {
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2 + (box.kind === 'store' ? cap : 0);
  return (
    <>
      {box.live && <circle className="plan-live" cx={box.x + 14} cy={box.y + 14} r="4" />}
      <text className="plan-name" x={x} y={box.note ? y - 4 : y + 5}>
        {box.name}
      </text>
      {box.note && (
        <text className="plan-note" x={x} y={y + 14}>
          {box.note}
        </text>
      )}
    </>
  );
}

function ArrowLine({ arrow }: { arrow: Arrow }) {
  const [[x1, y1], [x2, y2]] = [arrow.from, arrow.to];
  const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
  const [headX, headY] = [x2 - 3 * dx, y2 - 3 * dy];
  const head = `M${headX - 8 * dx + 5 * dy} ${headY - 8 * dy + 5 * dx}L${headX} ${headY}L${headX - 8 * dx - 5 * dy} ${headY - 8 * dy - 5 * dx}`;
  return (
    <g className={arrow.back ? 'plan-back' : 'plan-flow'}>
      <path className="plan-line" d={`M${x1 + 3 * dx} ${y1 + 3 * dy}L${headX} ${headY}`} />
      <path d={head} />
    </g>
  );
}

function Mark({ arrow }: { arrow: Arrow }) {
  const [x, y] = [(arrow.from[0] + arrow.to[0]) / 2, (arrow.from[1] + arrow.to[1]) / 2];
  return (
    <g className="plan-mark">
      <circle cx={x} cy={y} r="11" />
      <text x={x} y={y + 4.5}>
        {arrow.mark}
      </text>
    </g>
  );
}

function Drawing({ layout, title, className }: { layout: Layout; title: string; className: string }) {
  return (
    <svg
      className={`plan ${className}`}
      viewBox={`-1 -1 ${layout.width + 2} ${layout.height + 2}`}
      role="img"
      aria-label={title}
    >
      {layout.stages.map((stage) => (
        <g key={stage.label}>
          <text className="plan-label" x={stage.labelAt[0]} y={stage.labelAt[1]}>
            {stage.label}
          </text>
          {stage.frame && <rect className="plan-frame" {...stage.frame} rx="6" />}
          {stage.boxes.map((box) => (
            <g key={box.name}>
              <BoxShape box={box} />
              <BoxText box={box} />
            </g>
          ))}
        </g>
      ))}
      {layout.arrows.map((arrow) => (
        <g key={`${arrow.from}-${arrow.to}`}>
          <ArrowLine arrow={arrow} />
          {arrow.mark !== undefined && <Mark arrow={arrow} />}
        </g>
      ))}
    </svg>
  );
}

/**
 * A plan as a picture, from left to right or, on narrow screens, from top to bottom; captions explain the numbers in
 * it.
 */
export function Architecture({ plan, captions }: { plan: Plan; captions: TitledText[] }) {
  return (
    <figure className="architecture">
      <Drawing layout={layOut(plan, true)} title={plan.title} className="plan-wide" />
      <Drawing layout={layOut(plan, false)} title={plan.title} className="plan-narrow" />
      <figcaption>
        <ol>
          {captions.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </figcaption>
    </figure>
  );
}
