import { frameIds } from '../../client/contract/frame-ids.ts';

/** Attributes of the element that the skip link leads to. */
export const mainText = { id: frameIds.main, tabIndex: -1 };
