import type { PanelText } from '../../../client/contract/page-texts.ts';
import { GateDrawing } from './GateDrawing.tsx';

/** Drawing, heading and a short list between hairlines. */
export function SidePanel({ text: { title, points } }: { text: PanelText }) {
  return (
    <>
      <GateDrawing />
      <h2 id="panel-title">{title}</h2>
      <dl>
        {points.map(({ term, text, link }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              {text} {link && <a href={link.href}>{link.label}</a>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
