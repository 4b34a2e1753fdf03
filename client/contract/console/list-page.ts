/** A part of a list, as the calls with `page` and `pageSize` answer it. */
export interface ListPage<Item> {
  /** Of the whole list. */
  total: number;
  items: Item[];
}
