import { type Catalogue, type Connector, countsOf, labelOrder } from '../../client/contract/catalogue.ts';
import { fill } from '../../client/contract/fill.ts';
import type { HomeText } from '../../client/contract/page-texts.ts';
import { SectionHead } from '../parts/SectionHead.tsx';

/** The label of a connector that runs; otherwise its only side, if it cannot be both source and target. */
function noteOf({ label, sources, targets }: Connector): string | undefined {
  if (label !== 'planned') return label;
  if (targets.length > 0 && sources.length > 0) return undefined;
  if (targets.length > 0) return 'source';
  return sources.length > 0 ? 'target' : 'model';
}

/** All connectors; a radio button highlights one kind, by CSS alone. Running ones come first, then by number of pairs. */
export function ConnectorWall({ text, catalogue }: { text: HomeText['connectors']; catalogue: Catalogue }) {
  const { connectors, kinds } = catalogue;
  const order = [...connectors].sort(
    (a, b) =>
      labelOrder.indexOf(a.label) - labelOrder.indexOf(b.label) ||
      b.targets.length + b.sources.length - a.targets.length - a.sources.length,
  );
  const counts = countsOf(catalogue);
  return (
    <section className="section wrap" aria-labelledby="connectors">
      <SectionHead
        id="connectors"
        text={{ ...text, title: fill(text.title, counts), ...(text.lede && { lede: fill(text.lede, counts) }) }}
      />
      <div className="wall-box">
        <fieldset className="kinds">
          <legend className="visually-hidden">Kind to show</legend>
          <label>
            <input type="radio" name="kind" value="0" defaultChecked />
            All
          </label>
          {kinds.map(({ id, label }, at) => (
            <label key={id}>
              <input type="radio" name="kind" value={at + 1} />
              {label}
            </label>
          ))}
        </fieldset>
        <ul className="wall">
          {order.map((connector) => (
            <li key={connector.id} data-kind={kinds.findIndex(({ id }) => id === connector.kind) + 1}>
              <a href={`/connector?q=${encodeURIComponent(connector.name)}`}>
                <span>
                  {connector.name} {noteOf(connector) && <small>{noteOf(connector)}</small>}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
