export type ConnectorFunction = 'schema' | 'full' | 'incremental' | 'verification' | 'correction';

export interface Connector {
  id: string;
  name: string;
  kind: string;
  description: string;
  versions: string[];
  /** Address of its document, when there is one. */
  document?: string;
  /** Ids of the targets it offers as a source, and of the sources that offer it as a target. */
  targets: string[];
  sources: string[];
}

export interface Catalogue {
  kinds: { id: string; label: string }[];
  connectors: Connector[];
  /** Functions by `source>target`. */
  functions: Record<string, ConnectorFunction[]>;
}
