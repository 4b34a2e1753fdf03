import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig } from 'vite';
import { defaultExport } from './scripts/default-export.ts';

export default defineConfig({ plugins: [defaultExport(), vike(), react()] });
