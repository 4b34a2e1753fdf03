import { SectionHead } from '../parts/SectionHead.tsx';
import { StrengthMark, type StrengthName } from './StrengthMark.tsx';

const strengths: { mark: StrengthName; title: string; text: string; condition: string }[] = [
  {
    mark: 'delay',
    title: 'Seconds behind',
    text: 'Changes are read from the source’s own log and written in parallel batches. Made for a delay under 3 seconds from commit to target.',
    condition: 'Holds while the network and the target keep up.',
  },
  {
    mark: 'position',
    title: 'No row skipped',
    text: 'A task stores how far it has read once the target has confirmed. After a crash or a move to another worker it goes on from there.',
    condition: 'Holds as long as the source keeps the log.',
  },
  {
    mark: 'proof',
    title: 'Proof that it is right',
    text: 'Both sides are compared by key, once or on a schedule. Rows that are missing or differ are listed, and can be written again.',
    condition: 'Needs a primary key on the table.',
  },
  {
    mark: 'breadth',
    title: 'More than 40 systems',
    text: 'Relational and document databases, warehouses, lakes, queues and caches. Types are mapped for each pair and shown before a job is created.',
    condition: 'What a job can do depends on the pair.',
  },
  {
    mark: 'change',
    title: 'Changed on the way',
    text: 'Filter rows, rename and leave out columns, transform values by script, or pass every batch through Java code of your own.',
    condition: 'Work stays within the memory of the task.',
  },
  {
    mark: 'place',
    title: 'Where you want it',
    text: 'Managed, with workers in your own cloud, or entirely in your own network. The same engine, and jobs described in the same way.',
    condition: 'A job does not move between deployments by itself.',
  },
];

/** Six strengths, each with its mechanism and the condition under which it holds. */
export function Strengths() {
  return (
    <section className="section wrap" aria-labelledby="strengths">
      <SectionHead
        id="strengths"
        title="Six strengths, with their conditions"
        link={{ label: 'How each point works', href: '/docs/intro/product_advantage' }}
        lede="Every point has a mechanism, and a condition under which it holds. You can check both with your own data."
      />
      <ul className="strengths">
        {strengths.map(({ mark, title, text, condition }) => (
          <li key={title}>
            <StrengthMark name={mark} />
            <h3>{title}</h3>
            <p>{text}</p>
            <p className="condition">{condition}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
