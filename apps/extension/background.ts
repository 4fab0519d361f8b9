import { ask, site } from './site.ts'
import type { Account } from './site.ts'
import { forgetAll, keepSession, keepToken, readState, readToken } from './state.ts'

/** Polls the platform at this interval while the switch is on; the popup polls more often while it is open. */
const LOOK = 'look'
const LOOK_MINUTES = 0.5
const SIGNED_OUT = 3755
/** Addresses that bypass the proxy: this machine and its local network. */
const LOCAL = ['<local>', '127.0.0.1', '[::1]', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

export type Wish = { readonly do: 'link'; readonly code: string } | { readonly do: 'look' | 'on' | 'off' | 'out' }

chrome.runtime.onMessage.addListener((wish: Wish, _sender, answer) => {
  void serve(wish).then(answer, () => answer({ code: -1, msg: '' }))
  return true
})
chrome.alarms.onAlarm.addListener(() => void look())
chrome.runtime.onStartup.addListener(() => void release())
chrome.runtime.onInstalled.addListener(() => void release())

/** Answers only the account's own proxy, and once per request: a wrong password must not be retried forever. */
const tried = new Set<string>()
chrome.webRequest.onAuthRequired.addListener(
  (details, done) => {
    // Chromium expects the answer through a callback (`asyncBlocking`)
    void answerTo(details).then((answer) => done?.(answer)) // oxlint-disable-line promise/no-callback-in-promise
  },
  { urls: ['<all_urls>'] },
  ['asyncBlocking'],
)

type Challenge = Parameters<Parameters<typeof chrome.webRequest.onAuthRequired.addListener>[0]>[0]

async function answerTo({ isProxy, challenger, requestId }: Challenge): Promise<chrome.webRequest.BlockingResponse> {
  const { account, isOn } = await readState()
  if (!isProxy || !isOn || account?.host !== challenger.host || account.port !== challenger.port) return {}
  const attempt = `${requestId}:${account.id}`
  if (tried.has(attempt)) {
    void look()
    return {}
  }
  tried.add(attempt)
  return { authCredentials: { username: account.username, password: account.password } }
}

const forget = ({ requestId }: { readonly requestId: string }) => {
  for (const attempt of tried) if (attempt.startsWith(`${requestId}:`)) tried.delete(attempt)
}
chrome.webRequest.onCompleted.addListener(forget, { urls: ['<all_urls>'] })
chrome.webRequest.onErrorOccurred.addListener(forget, { urls: ['<all_urls>'] })

async function serve(wish: Wish): Promise<{ code: number; msg: string }> {
  if (wish.do === 'link') return link(wish.code)
  if (wish.do === 'off') await release()
  if (wish.do === 'out') {
    await release()
    await forgetAll()
  }
  if (wish.do === 'look' || wish.do === 'on') {
    const { account, isOn } = await look()
    if (wish.do === 'on' && account && !isOn) await take(account)
  }
  return { code: 200, msg: '' }
}

async function link(code: string): Promise<{ code: number; msg: string }> {
  const name = `${/Edg\//.test(navigator.userAgent) ? 'Edge' : 'Chrome'} · ${/\(([^;)]+)/.exec(navigator.userAgent)?.[1] ?? ''}`.slice(0, 60)
  const { code: result, msg, data } = await ask<{ token: string }>('/v1/tool/proxy/extension/link', { code, name })
  if (result !== 200) return { code: result, msg }
  await keepToken(data.token)
  await look()
  return { code: 200, msg: '' }
}

/**
 * Fetches the proxy account in use. Releases the browser's proxy when the account ends or the extension is signed out; applies a changed account at
 * once.
 */
async function look(): Promise<{ account: Account | null; isOn: boolean }> {
  const token = await readToken()
  const before = await readState()
  if (!token) return { account: null, isOn: false }
  try {
    const { code, data } = await ask<{ account: Account | null }>('/v1/tool/proxy/extension/state', { token })
    if (code === SIGNED_OUT) {
      await release()
      await forgetAll()
      return { account: null, isOn: false }
    }
    if (code !== 200) throw new Error(String(code))
    const { account } = data
    await keepSession({ account, askedAt: Date.now(), isOffline: false })
    if (before.isOn && !account) await release()
    if (before.isOn && account && account.id !== before.account?.id) await take(account)
    if (before.isOn && account) await badge(account)
    return { account, isOn: before.isOn && account !== null }
  } catch {
    const isOver = before.account !== null && Date.parse(before.account.expiresTime) <= Date.now()
    await keepSession({ isOffline: true, ...(isOver ? { account: null } : {}) })
    if (before.isOn && isOver) await release()
    return { account: isOver ? null : before.account, isOn: before.isOn && !isOver }
  }
}

async function take(account: Account): Promise<void> {
  const { scheme, host, port } = account
  tried.clear()
  // cleared first: Chromium caches proxy credentials until the proxy changes
  await chrome.proxy.settings.clear({ scope: 'regular' })
  await chrome.proxy.settings.set({
    scope: 'regular',
    value: { mode: 'fixed_servers', rules: { singleProxy: { scheme, host, port }, bypassList: await bypass() } },
  })
  await chrome.privacy.network.webRTCIPHandlingPolicy.set({ value: 'disable_non_proxied_udp' })
  await keepSession({ isOn: true })
  await chrome.alarms.create(LOOK, { periodInMinutes: LOOK_MINUTES })
  await badge(account)
}

/** The platform itself is reached straight: at the end it tells that it is the end. */
async function bypass(): Promise<string[]> {
  return [...LOCAL, new URL((await site()).url).hostname]
}

async function release(): Promise<void> {
  await chrome.proxy.settings.clear({ scope: 'regular' })
  await chrome.privacy.network.webRTCIPHandlingPolicy.clear({})
  await chrome.alarms.clear(LOOK)
  await keepSession({ isOn: false })
  await chrome.action.setBadgeText({ text: '' })
}

async function badge({ expiresTime }: Account): Promise<void> {
  const minutes = Math.max(0, Math.ceil((Date.parse(expiresTime) - Date.now()) / 60_000))
  await chrome.action.setBadgeBackgroundColor({ color: '#16705b' })
  await chrome.action.setBadgeText({ text: String(minutes) })
}
