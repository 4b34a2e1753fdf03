import '../../client/entry.ts';
import '../../client/console/entry.tsx';
