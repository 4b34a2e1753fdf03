import { outsideInlineCode } from './inline-code.ts';
import type { Dialect } from './lines.ts';

const key = String.raw`(?:[a-z\d][a-z\d-]*|"[^"+\n]+"|'[^'+\n]+')`;
const keysMark = new RegExp(String.raw`(?<![\w+])\+\+(${key}(?:\+${key})*)\+\+(?![\w+])`, 'gi');
const names: Record<string, string> = {
  ...{
    ctrl: 'Ctrl',
    control: 'Ctrl',
    cmd: 'Cmd',
    command: 'Cmd',
    win: 'Win',
    windows: 'Win',
    esc: 'Esc',
    escape: 'Esc',
  },
  ...{ del: 'Del', delete: 'Del', ins: 'Ins', insert: 'Ins', return: 'Enter' },
  ...{ up: '↑', down: '↓', left: '←', right: '→' },
  ...{ 'arrow-up': '↑', 'arrow-down': '↓', 'arrow-left': '←', 'arrow-right': '→' },
};

/** PyMdown's keys: `++ctrl+alt+"x"++`. */
export const keys: Dialect = (lines) =>
  lines.map((line) => {
    if (line.code || !line.text.includes('++')) return line;
    return { ...line, text: outsideInlineCode(line.text, (part) => part.replace(keysMark, asElements)) };
  });

function asElements(_whole: string, combination: string): string {
  return combination
    .split('+')
    .map((name) => `<kbd>${labelOf(name)}</kbd>`)
    .join('+');
}

function labelOf(name: string): string {
  if (/^["']/.test(name)) return name.slice(1, -1).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const known = Object.hasOwn(names, name.toLowerCase()) ? names[name.toLowerCase()] : undefined;
  return known ?? name.replace(/(?:^|-)([a-z])/g, (part) => part.replace('-', ' ').toUpperCase());
}
