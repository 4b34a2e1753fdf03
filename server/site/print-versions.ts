import type { Catalogue, Connector } from '../../client/contract/catalogue.ts';
import { code, markdownTable } from '../jobs/printed/markdown-table.ts';

/**
 * The table for `::versions{of=tested}`: systems that jobs read and write, with the versions and pairs that our tests
 * run.
 */
export function versionsTable(catalogue: Catalogue): string {
  const running = catalogue.connectors.filter(({ label }) => label !== 'planned');
  if (running.length === 0) return 'No test has run on this code: every system is planned.';
  const rows = running.map((connector) => [
    connector.name,
    connector.label,
    connector.tested.map(code).join(', '),
    pairsOf(connector, catalogue),
  ]);
  return markdownTable(['System', 'Label', 'Versions', 'Pairs'], rows);
}

function pairsOf(connector: Connector, catalogue: Catalogue): string {
  if (connector.label === 'compatible') return 'not run by us';
  return catalogue.connectors
    .flatMap((target) =>
      (catalogue.proved[`${connector.id}>${target.id}`]?.releases ?? []).map(
        ([from, to]) => `${connector.name} ${from} → ${target.name} ${to}`,
      ),
    )
    .join('<br>');
}
