import { create } from 'zustand'

export type Theme = 'light' | 'dark' | 'system'
export const THEMES: readonly Theme[] = ['light', 'dark', 'system']

/** The same key is read by apps/web/public/boot.js before the first paint. */
const KEY = 'mx.theme'
const dark = typeof matchMedia === 'undefined' ? undefined : matchMedia('(prefers-color-scheme: dark)')

function readStoredTheme(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'dark' || value === 'system' ? value : 'light'
  } catch {
    return 'light'
  }
}

/** Created light and corrected at once: a prerendered page is hydrated with the server's markup (see hydrated.ts). */
export const useTheme = create<{ readonly theme: Theme }>(() => ({ theme: 'light' }))
if (dark) useTheme.setState({ theme: readStoredTheme() })

function applyTheme(theme: Theme): void {
  const shown = theme === 'system' ? (dark?.matches ? 'dark' : 'light') : theme
  document.documentElement.dataset['theme'] = shown
}

export function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // The choice lasts for this page only.
  }
  useTheme.setState({ theme })
  applyTheme(theme)
}

/** Follows the system while the choice is "system"; call once at start. */
export function watchTheme(): void {
  applyTheme(useTheme.getState().theme)
  dark?.addEventListener('change', () => applyTheme(useTheme.getState().theme))
}
