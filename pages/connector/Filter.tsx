import type { PageProps } from '../../client/contract/pages.ts';
import { Icon } from '../../client/ui/Icon.tsx';

interface ChoiceProps {
  name: 'kind' | 'role';
  label: string;
  empty: string;
  chosen: string | undefined;
  options: { id: string; label: string }[];
}

function Choice({ name, label, empty, chosen, options }: ChoiceProps) {
  return (
    <div className="field">
      <label htmlFor={`filter-${name}`}>{label}</label>
      <div className="field-select">
        <select className="input" id={`filter-${name}`} name={name} defaultValue={chosen ?? ''}>
          <option value="">{empty}</option>
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron" />
      </div>
    </div>
  );
}

const roles = [
  { id: 'source', label: 'As a source' },
  { id: 'target', label: 'As a target' },
];

/** Search, kind and side, kept in the address. */
export function Filter({ filter, catalogue }: Pick<PageProps<'connector'>, 'filter' | 'catalogue'>) {
  return (
    <form action="/connector" method="get" data-filter="found">
      <search className="connector-filter">
        <div className="field">
          <label htmlFor="filter-q">Name</label>
          <input
            className="input"
            id="filter-q"
            name="q"
            type="search"
            defaultValue={filter.q}
            maxLength={80}
            autoComplete="off"
          />
        </div>
        <Choice name="kind" label="Kind" empty="All kinds" chosen={filter.kind} options={catalogue.kinds} />
        <Choice name="role" label="Side" empty="Source or target" chosen={filter.role} options={roles} />
        <button className="button button-primary" type="submit">
          Show
        </button>
      </search>
    </form>
  );
}
