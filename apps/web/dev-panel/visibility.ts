import { create } from 'zustand'
import { site } from '#platform/web/site.ts'

const KEY = 'mx.dev'

/**
 * False in production. Elsewhere the panel is hidden until requested by `?dev=1` or in the palette, then visible until the tab is closed.
 */
export const HAS_DEV_PANEL = site.stage !== 'production'

export const useDevPanel = create<{ readonly shown: boolean }>(() => ({ shown: HAS_DEV_PANEL && isWanted() }))

function isWanted(): boolean {
  try {
    return new URLSearchParams(location.search).get('dev') === '1' || sessionStorage.getItem(KEY) === '1'
  } catch {
    return false
  }
}

export function showDevPanel(shown: boolean): void {
  try {
    if (shown) sessionStorage.setItem(KEY, '1')
    else sessionStorage.removeItem(KEY)
  } catch {
    // For this page only.
  }
  useDevPanel.setState({ shown: shown && HAS_DEV_PANEL })
}
