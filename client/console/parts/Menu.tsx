import { Button } from 'react-aria-components/Button';
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Icon } from '../../ui/Icon.tsx';

interface MenuProps {
  label: string;
  /** What the entries act on, for screen readers. */
  about: string;
  items: readonly { label: string; onAction: () => void }[];
}

/** A button with a list of actions; it opens on a press, below its left edge. */
export function Menu({ label, about, items }: MenuProps) {
  return (
    <MenuTrigger>
      <Button className="button">
        {label}
        <span className="visually-hidden"> {about}</span>
        <Icon name="chevron" />
      </Button>
      <Popover className="console-popover" placement="bottom left">
        <AriaMenu className="console-menu">
          {items.map((item) => (
            <MenuItem key={item.label} onAction={item.onAction}>
              {item.label}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
