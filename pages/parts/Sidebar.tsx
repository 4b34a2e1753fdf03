import type { SidebarNode } from '../../client/contract/reading.ts';
import { Icon } from '../../client/ui/Icon.tsx';

function holds(node: SidebarNode, path: string): boolean {
  return node.href === path || Boolean(node.items?.some((item) => holds(item, path)));
}

interface BranchProps {
  nodes: SidebarNode[];
  path: string;
  open: 'current' | 'all';
}

function Branch({ nodes, path, open }: BranchProps) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.href ?? node.label}>
          {node.items ? (
            <details open={open === 'all' || holds(node, path)}>
              <summary>{node.label}</summary>
              <Branch
                nodes={node.href ? [{ label: 'Overview', href: node.href }, ...node.items] : node.items}
                path={path}
                open={open}
              />
            </details>
          ) : (
            <a href={node.href} aria-current={node.href === path ? 'page' : undefined}>
              {node.label}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Tree of links beside a text; below the desktop breakpoint its button opens the same list as a drawer. */
export function Sidebar({ label, button, ...branch }: BranchProps & { label: string; button: string }) {
  return (
    <>
      <div className="sidebar-opener">
        <button type="button" popoverTarget="sidebar">
          <Icon name="menu" />
          {button}
        </button>
      </div>
      <nav className="sidebar" id="sidebar" aria-label={label} popover="auto">
        <div className="sidebar-head">
          {button}
          <button type="button" className="icon-button" popoverTarget="sidebar" popoverTargetAction="hide">
            <Icon name="close" />
            <span className="visually-hidden">Close</span>
          </button>
        </div>
        <Branch {...branch} />
      </nav>
    </>
  );
}
