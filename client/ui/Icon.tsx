/** Outlines on a 24 px grid with one stroke width; the text beside an icon carries the meaning. */
const paths = {
  arrow: 'M5 12h14M13 6l6 6-6 6',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm6 9 6 6 6-6',
  close: 'M6 6l12 12M18 6 6 18',
  cloud: 'M7 18a4 4 0 0 1-.6-7.95A5.5 5.5 0 0 1 17 9a4.5 4.5 0 0 1 .5 9z',
  code: 'm8 8-4 4 4 4M16 8l4 4-4 4M13.5 6l-3 12',
  dash: 'M7 12h10',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  gauge: 'M4 18a8 8 0 1 1 16 0M12 18l4-6',
  gate: 'M4 20V6m16 14V6M4 10h16M8 10v8m4-8v8m4-8v8',
  layers: 'm12 4 9 5-9 5-9-5zM3 14l9 5 9-5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  loop: 'M4 12a7 7 0 0 1 12-5l3 3m0-5v5h-5M20 12a7 7 0 0 1-12 5l-3-3m0 5v-5h5',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.5 15.5 20 20',
  server: 'M5 4h14v6H5zM5 14h14v6H5zM8 7h1M8 17h1',
  shield: 'M12 3 5 6v6c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6z',
  table: 'M4 5h16v14H4zM4 10h16M10 5v14',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-5.5 8-5.5s7 1.5 8 5.5',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={className ? `icon ${className}` : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
