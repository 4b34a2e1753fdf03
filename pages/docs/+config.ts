import type { Config } from 'vike/types';

export default { startsWithSidebar: true } satisfies Config;
