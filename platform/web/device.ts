import { create } from 'zustand'

/** 720 px and below is mobile, everywhere; there is no second breakpoint. */
const query = typeof matchMedia === 'undefined' ? undefined : matchMedia('(max-width: 720px)')

/** Created as desktop and corrected at once: a prerendered page is hydrated with the server's markup (see hydrated.ts). */
export const useDevice = create<{ readonly isMobile: boolean }>(() => ({ isMobile: false }))
if (query) useDevice.setState({ isMobile: query.matches })

export function useIsMobile(): boolean {
  return useDevice((state) => state.isMobile)
}

/** Header `clientType`: 1 desktop, 2 mobile. */
export function getClientType(): '1' | '2' {
  return useDevice.getState().isMobile ? '2' : '1'
}

/** Keeps the store and the document's `mobile` / `pc` class; call once at start. */
export function watchDevice(): void {
  if (!query) return
  const apply = () => {
    document.documentElement.classList.toggle('mobile', query.matches)
    document.documentElement.classList.toggle('pc', !query.matches)
    useDevice.setState({ isMobile: query.matches })
  }
  apply()
  query.addEventListener('change', apply)
}
