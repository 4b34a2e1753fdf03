import { frameIds } from '../../client/contract/frame-ids.ts';
import type { SidebarNode } from '../../client/contract/reading.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { firstPage } from './first-page.ts';

/** With more entries, a page carries only its own branch; of the others it has only the names. */
const mostEntries = 300;

const count = (nodes: SidebarNode[]): number => nodes.reduce((sum, { items }) => sum + 1 + count(items ?? []), 0);

function holds(node: SidebarNode, path: string): boolean {
  return node.href === path || Boolean(node.items?.some((item) => holds(item, path)));
}

interface BranchProps {
  nodes: SidebarNode[];
  path: string;
  open: 'current' | 'all';
}

/** @param id in a long sidebar, the position of its nodes in the tree: it identifies branches, across pages too */
function Branch({ nodes, path, open, id }: BranchProps & { id: string | undefined }) {
  return (
    <ul>
      {nodes.map((node, at) => (
        <li key={node.href ?? node.label}>
          {node.items ? (
            <Category node={node} path={path} open={open} id={id === undefined ? undefined : `${id}.${at}`} />
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

interface CategoryProps extends Omit<BranchProps, 'nodes'> {
  node: SidebarNode;
  id: string | undefined;
}

/** A branch of the tree; if its items are left out, a link to the page that has them. */
function Category({ node, path, open, id }: CategoryProps) {
  const { label, href, items = [] } = node;
  const isOpen = holds(node, path);
  const page = firstPage(node);
  if (id !== undefined && page !== undefined && !isOpen) {
    return (
      <a href={page} data-branch={id}>
        {label}
      </a>
    );
  }
  return (
    <details open={open === 'all' || isOpen} data-branch={id}>
      <summary>{label}</summary>
      <Branch nodes={href ? [{ label: 'Overview', href }, ...items] : items} path={path} open={open} id={id} />
    </details>
  );
}

/** Tree of links beside a text; below the desktop breakpoint its button opens the same list as a drawer. */
export function Sidebar({ label, button, ...branch }: BranchProps & { label: string; button: string }) {
  return (
    <>
      <div className="sidebar-opener">
        <button type="button" popoverTarget={frameIds.sidebar}>
          <Icon name="menu" />
          {button}
        </button>
      </div>
      <nav className="sidebar" id={frameIds.sidebar} aria-label={label} popover="auto">
        <div className="sidebar-head">
          {button}
          <button type="button" className="icon-button" popoverTarget={frameIds.sidebar} popoverTargetAction="hide">
            <Icon name="close" />
            <span className="visually-hidden">Close</span>
          </button>
        </div>
        <Branch {...branch} id={count(branch.nodes) > mostEntries ? '' : undefined} />
      </nav>
    </>
  );
}
