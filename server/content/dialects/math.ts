/** `$$` formulas on lines of their own are shown as they are written, not read as markdown. */
import { type Dialect, indentOf, type Line, lineAt } from './lines.ts';

export const math: Dialect = (lines) => {
  let open = false;
  return lines.flatMap((line, index): Line[] => {
    if (line.code) return [line];
    const isEdge = isFence(line) && (open || lines.slice(index + 1).some(isFence));
    if (isEdge) open = !open;
    if (isEdge) return [fence(line, open ? 'math' : '')];
    return open ? [{ ...line, code: true }] : onOneLine(line);
  });
};

function onOneLine(line: Line): Line[] {
  const formula = /^\s*\$\$(?!\s*\$)(.+)\$\$\s*$/.exec(line.text)?.[1]?.trim();
  if (!formula) return [line];
  return [fence(line, 'math'), { ...line, text: indentOf(line.text) + formula, code: true }, fence(line, '')];
}

function fence(line: Line, language: string): Line {
  return { ...lineAt(line, `${indentOf(line.text)}\`\`\`\`${language}`), code: true };
}

function isFence({ text, code }: Line): boolean {
  return !code && /^\s*\$\$\s*$/.test(text);
}
