import type { SidebarNode } from '../../client/contract/reading.ts';
import { firstPage } from '../parts/first-page.ts';

/** What a folder holds, shown if its page has no text. */
export function SectionItems({ nodes, path }: { nodes: SidebarNode[]; path: string }) {
  const items = find(nodes, path)?.items ?? [];
  return (
    <div className="prose">
      <ul>
        {items.map((item) => (
          <li key={item.href ?? item.label}>
            <a href={firstPage(item)}>{item.label}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function find(nodes: SidebarNode[], path: string): SidebarNode | undefined {
  for (const node of nodes) {
    const found = node.href === path ? node : find(node.items ?? [], path);
    if (found) return found;
  }
  return undefined;
}
