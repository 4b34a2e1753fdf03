import type { ReactNode } from 'react';

interface DrawingProps {
  /** The visible part of the plane: x, y, width, height. */
  box: readonly [x: number, y: number, width: number, height: number];
  /** What the drawing shows, for people who cannot see it. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** Plane of the function and solution drawings: 480 × 260 with a margin of 16. */
export const standardBox = [15, 14, 450, 238] as const;

/** Frame of our SVG drawings; colours and strokes come from drawing.css. */
export function Drawing({ box, label, className, children }: DrawingProps) {
  return (
    <svg
      className={className ? `drawing ${className}` : 'drawing'}
      viewBox={box.join(' ')}
      width={box[2]}
      height={box[3]}
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  );
}
