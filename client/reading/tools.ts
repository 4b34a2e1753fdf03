import '../styles/reading-tools.css';
import { addCopyCode } from './copy-code.ts';
import { addCopyPage } from './copy-page.ts';
import { addWrap } from './wrap.ts';
import { addZoom } from './zoom.ts';

/** Adds the buttons of code blocks, pictures and the page itself, each once. */
export function addTools(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code:not(:has(.code-tools))')) {
    const tools = document.createElement('div');
    tools.className = 'code-tools';
    addWrap(figure, tools);
    addCopyCode(figure, tools);
    figure.append(tools);
  }
  for (const picture of document.querySelectorAll<HTMLImageElement>('.prose img:not([role], a img)')) addZoom(picture);
  addCopyPage();
}
