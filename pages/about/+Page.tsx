import '../../client/styles/marketing.css';
import '../../client/styles/solution.css';
import './about.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { LongDate } from '../../client/ui/LongDate.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';
import { contacts, principles, work } from './team.ts';

function Terms({ items }: { items: { title: string; text: string }[] }) {
  return (
    <dl className="terms">
      {items.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Releases({ releases }: Pick<PageProps<'about'>, 'releases'>) {
  return (
    <ol className="timeline">
      {releases.map(({ version, date, href, description }) => (
        <li key={version}>
          <h3>
            <a href={href}>{version}</a>
          </h3>
          <p className="timeline-date">{date === undefined ? 'Planned' : <LongDate iso={date} />}</p>
          <p className="timeline-text">{description}</p>
        </li>
      ))}
    </ol>
  );
}

/** What the team works on, what it holds to, what it has released, and how it is reached. */
export default function AboutPage({ site, releases }: PageProps<'about'>) {
  return (
    <>
      <header className="banner wrap">
        <p className="eyebrow">About {site.brand.name}</p>
        <h1>We move data and check that it has arrived</h1>
        <p className="lede">
          {site.brand.name} does one thing: it keeps the data of one system in step with another that was not made to
          talk to it, and shows whether both are equal.
        </p>
      </header>
      <section className="section wrap section-split">
        <SectionHead title="What the team works on" />
        <Terms items={work} />
      </section>
      <section className="section wrap section-split">
        <SectionHead title="Principles" />
        <Terms items={principles} />
      </section>
      {releases.length > 0 && (
        <section className="section wrap section-split">
          <SectionHead title="Releases" lede="The newest is on top; each has its notes." />
          <Releases releases={releases} />
        </section>
      )}
      <section className="section wrap section-split">
        <SectionHead title="Contact" lede="Write to the one that fits." />
        <ul className="contacts">
          {contacts(site.brand).map(({ title, text, email }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
              <a href={`mailto:${email}`}>{email}</a>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
