import type { KeyboardEvent } from 'react';

/** Arrow keys, Home and End move from cell to cell: a thousand cells would need a thousand presses of Tab. */
export function moveInGrid(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: grid, ctrlKey, altKey, metaKey, shiftKey } = event;
  if (ctrlKey || altKey || metaKey || shiftKey) return;
  const cells = grid.querySelectorAll('button');
  const at = [...cells].findIndex((cell) => cell.matches(':focus'));
  const next = cells[placeAfter(key, at, cells.length, grid)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}

/** @returns an index that no cell has if the key leads nowhere */
function placeAfter(key: string, at: number, count: number, grid: HTMLElement): number {
  switch (key) {
    case 'ArrowRight':
      return at + 1;
    case 'ArrowLeft':
      return at - 1;
    case 'ArrowDown':
      return at + columnsOf(grid);
    case 'ArrowUp':
      return at - columnsOf(grid);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}

const columnsOf = (grid: HTMLElement) => getComputedStyle(grid).gridTemplateColumns.split(' ').length;
