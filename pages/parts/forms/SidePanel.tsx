import type { ReactNode } from 'react';
import { GateDrawing } from './GateDrawing.tsx';

/** Drawing, heading and a short list between hairlines. */
export function SidePanel({ title, points }: { title: string; points: { term: string; text: ReactNode }[] }) {
  return (
    <>
      <GateDrawing />
      <h2 id="panel-title">{title}</h2>
      <dl>
        {points.map(({ term, text }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** What an account gives; beside sign-in and sign-up. */
export function AccountPanel() {
  return (
    <SidePanel
      title="What an account gives"
      points={[
        { term: 'Jobs', text: 'Full load, change sync, verification and correction, on our workers or on yours.' },
        {
          term: 'Credits',
          text: (
            <>
              A starting balance for the cloud plan, see <a href="/pricing">Pricing</a>.
            </>
          ),
        },
        { term: 'Downloads', text: 'Packages for your own machines, each with its SHA-256.' },
        { term: 'Licences', text: 'Order, pay and read authorization codes; renew before they end.' },
        { term: 'Bills', text: 'One bill a day, with a line for each job and kind of work.' },
      ]}
    />
  );
}
