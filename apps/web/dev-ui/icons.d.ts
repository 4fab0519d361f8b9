/** Made by scripts/vite/icons.ts: every icon that the pages import, by name. */
declare module 'virtual:icons'
