export type BrowserSupport = 'full' | 'phone' | 'none'

/** Checks that a browser can show a remote one. Safari's keyboard and clipboard events lose characters; in-app browsers support neither. */
export function resolveBrowserSupport(userAgent: string, can: { readonly socket: boolean; readonly bitmap: boolean }): BrowserSupport {
  if (!can.socket || !can.bitmap) return 'none'
  const isSafari = /AppleWebKit/.test(userAgent) && !/Chrome|Chromium|Edg|Android/.test(userAgent)
  if (isSafari || /MicroMessenger|QQ\/|Weibo|AlipayClient|; wv\)/i.test(userAgent)) return 'none'
  return /Mobi|Android|iPhone|iPad/.test(userAgent) ? 'phone' : 'full'
}

export const readBrowserSupport = (): BrowserSupport =>
  resolveBrowserSupport(navigator.userAgent, { socket: typeof WebSocket !== 'undefined', bitmap: typeof createImageBitmap !== 'undefined' })
