const admonitionKinds = ['note', 'tip', 'info', 'warning', 'caution', 'danger'] as const;
export type AdmonitionKind = (typeof admonitionKinds)[number];

const foreign: Record<AdmonitionKind, string> = {
  note: 'secondary example quote cite default callout alert admonition aside',
  tip: 'success check done hint',
  info: 'important question help faq abstract summary tldr todo seealso',
  warning: 'attention warn',
  caution: '',
  danger: 'failure fail missing error bug',
};

const kinds = new Map(
  admonitionKinds.flatMap((kind) => [kind, ...foreign[kind].split(' ').filter(Boolean)].map((name) => [name, kind])),
);

/** The kind a name stands for; undefined when it is not an admonition. */
export function admonitionKind(name: string): AdmonitionKind | undefined {
  return kinds.get(name.toLowerCase());
}
