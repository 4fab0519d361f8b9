import { create } from 'zustand'
import { parseOwnPath } from '#platform/shared/own-path.ts'

/** Apps whose built-in browser refuses cashiers, Google's consent and downloads. */
export type InApp = 'wechat' | 'qq' | 'weibo' | 'alipay' | 'dingtalk'
const MARKS: readonly (readonly [InApp, RegExp])[] = [
  ['wechat', /MicroMessenger/i],
  ['qq', /\bQQ\//],
  ['weibo', /Weibo/i],
  ['alipay', /AlipayClient/i],
  ['dingtalk', /DingTalk/i],
]

/** The app around this page, if it is one of those. */
export function detectInApp(agent: string = navigator.userAgent): InApp | undefined {
  return MARKS.find(([, mark]) => mark.test(agent))?.[0]
}

export type OutsideReason = 'pay' | 'google' | 'download'
export interface OutsideRequest {
  readonly reason: OutsideReason
  readonly app: InApp
  /** Path on this site that the copied link opens. */
  readonly path: string
}

/** `used` stays true, so that the host is mounted once. */
export const useOutsideStore = create<{ readonly asked: OutsideRequest | undefined; readonly used: boolean }>(() => ({ asked: undefined, used: false }))

/** Query parameters kept out of a copied link: credentials, and tokens of codes that were sent. */
const SECRET = /token|secret|password|ticket|^state$|^hmac$/i

/** The page's path and query without secret parameters. */
export function toShareablePath(path: string): string {
  const url = new URL(parseOwnPath(path) ?? '/', 'https://x.invalid')
  for (const name of [...url.searchParams.keys()]) if (SECRET.test(name)) url.searchParams.delete(name)
  return url.pathname + url.search
}

interface Gate {
  /** Path to open in the other browser; defaults to this page. Never contains a token. */
  readonly path?: string
  /** Apps in which this works nevertheless: Alipay's own cashier opens in Alipay. */
  readonly worksIn?: readonly InApp[]
}

/**
 * Gate before payments, Google sign-in and downloads. Returns true in a real browser; inside an app shows how to open the page in one and returns
 * false.
 */
export function ensureRealBrowser(reason: OutsideReason, { path, worksIn = [] }: Gate = {}): boolean {
  const app = detectInApp()
  if (!app || worksIn.includes(app)) return true
  useOutsideStore.setState({ used: true, asked: { reason, app, path: toShareablePath(path ?? location.pathname + location.search) } })
  return false
}

export function closeOutside(): void {
  useOutsideStore.setState({ asked: undefined })
}
