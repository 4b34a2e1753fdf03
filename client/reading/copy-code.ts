import { element } from '../browser/element.ts';
import { copyAndAnnounce } from './copy-and-announce.ts';

/** Adds a button that copies a code block, without the lines marked as removed. */
export function addCopyCode(figure: HTMLElement, tools: HTMLElement): void {
  const text = () => {
    const lines = [...figure.querySelectorAll('.line:not(.removed)')];
    return lines.length > 0
      ? lines.map((line) => line.textContent).join('\n')
      : (figure.querySelector('pre')?.textContent ?? '');
  };
  const button: HTMLButtonElement = element(
    'button',
    { type: 'button', click: () => void copyAndAnnounce(button, text) },
    'Copy',
  );
  tools.append(button);
}
