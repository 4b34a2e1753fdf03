import { type ComponentType, useId } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandName, islands } from '../../client/islands/registry.ts';

type IslandComponent<Name extends IslandName> = Awaited<ReturnType<(typeof islands)[Name]>>['default'];
type IslandProps<Name extends IslandName> = IslandComponent<Name> extends ComponentType<infer Props> ? Props : never;

interface Props<Name extends IslandName> {
  name: Name;
  /** The component of that name, imported by the page, so that only its pages load its style sheet. */
  of: ComponentType<IslandProps<Name>>;
  /** Plain data: it reaches the browser as JSON. */
  props: IslandProps<Name> & object;
  /** When the browser loads it; with `interaction`, not before the visitor uses it. */
  when?: 'interaction' | 'visible' | 'idle' | 'now';
}

/**
 * A part of the page that React takes over in the browser: its own root, with its own id prefix and its props beside
 * it.
 */
export function Island<Name extends IslandName>({ name, of: Component, props, when = 'interaction' }: Props<Name>) {
  const prefix = `${name}${useId()}`;
  const html = renderToString(<Component {...props} />, { identifierPrefix: prefix });
  // `<` is escaped, so that no text can close the element.
  const json = JSON.stringify(props).replaceAll('<', '\\u003c');
  return (
    <div data-island={name} data-when={when} data-prefix={prefix}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with < escaped, in a data block */}
      <script type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React's own output; a nested root would share its ids */}
      <div data-root="" dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}
