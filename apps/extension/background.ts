import { postToPlatform, loadDownloadSite } from './site.ts'
import type { ExtensionProxyAccount } from './site.ts'
import { clearStorage, storeSessionState, storeToken, readPopupState, readExtensionToken } from './state.ts'

/** Polls the platform at this interval while the switch is on; the popup polls more often while it is open. */
const POLL_ALARM = 'look'
const POLL_MINUTES = 0.5
const SIGNED_OUT_CODE = 3755
/** Addresses that bypass the proxy: this machine and its local network. */
const BYPASS_HOSTS = ['<local>', '127.0.0.1', '[::1]', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

export type ExtensionRequest = { readonly do: 'link'; readonly code: string } | { readonly do: 'look' | 'on' | 'off' | 'out' }

chrome.runtime.onMessage.addListener((wish: ExtensionRequest, _sender, answer) => {
  void handleRequest(wish).then(answer, () => answer({ code: -1, msg: '' }))
  return true
})
chrome.alarms.onAlarm.addListener(() => void refreshState())
chrome.runtime.onStartup.addListener(() => void disableProxy())
chrome.runtime.onInstalled.addListener(() => void disableProxy())

/** Answers only the account's own proxy, and once per request: a wrong password must not be retried forever. */
const attemptedLogins = new Set<string>()
chrome.webRequest.onAuthRequired.addListener(
  (details, done) => {
    // Chromium expects the answer through a callback (`asyncBlocking`)
    void authenticateProxy(details).then((answer) => done?.(answer)) // oxlint-disable-line promise/no-callback-in-promise
  },
  { urls: ['<all_urls>'] },
  ['asyncBlocking'],
)

type Challenge = Parameters<Parameters<typeof chrome.webRequest.onAuthRequired.addListener>[0]>[0]

async function authenticateProxy({ isProxy, challenger, requestId }: Challenge): Promise<chrome.webRequest.BlockingResponse> {
  const { account, isOn } = await readPopupState()
  if (!isProxy || !isOn || account?.host !== challenger.host || account.port !== challenger.port) return {}
  const attempt = `${requestId}:${account.id}`
  if (attemptedLogins.has(attempt)) {
    void refreshState()
    return {}
  }
  attemptedLogins.add(attempt)
  return { authCredentials: { username: account.username, password: account.password } }
}

const forgetAttempts = ({ requestId }: { readonly requestId: string }) => {
  for (const attempt of attemptedLogins) if (attempt.startsWith(`${requestId}:`)) attemptedLogins.delete(attempt)
}
chrome.webRequest.onCompleted.addListener(forgetAttempts, { urls: ['<all_urls>'] })
chrome.webRequest.onErrorOccurred.addListener(forgetAttempts, { urls: ['<all_urls>'] })

async function handleRequest(wish: ExtensionRequest): Promise<{ code: number; msg: string }> {
  if (wish.do === 'link') return linkAccount(wish.code)
  if (wish.do === 'off') await disableProxy()
  if (wish.do === 'out') {
    await disableProxy()
    await clearStorage()
  }
  if (wish.do === 'look' || wish.do === 'on') {
    const { account, isOn } = await refreshState()
    if (wish.do === 'on' && account && !isOn) await enableProxy(account)
  }
  return { code: 200, msg: '' }
}

async function linkAccount(code: string): Promise<{ code: number; msg: string }> {
  const name = `${/Edg\//.test(navigator.userAgent) ? 'Edge' : 'Chrome'} · ${/\(([^;)]+)/.exec(navigator.userAgent)?.[1] ?? ''}`.slice(0, 60)
  const { code: result, msg, data } = await postToPlatform<{ token: string }>('/v1/tool/proxy/extension/link', { code, name })
  if (result !== 200) return { code: result, msg }
  await storeToken(data.token)
  await refreshState()
  return { code: 200, msg: '' }
}

/**
 * Fetches the proxy account in use. Releases the browser's proxy when the account ends or the extension is signed out; applies a changed account at
 * once.
 */
async function refreshState(): Promise<{ account: ExtensionProxyAccount | null; isOn: boolean }> {
  const token = await readExtensionToken()
  const before = await readPopupState()
  if (!token) return { account: null, isOn: false }
  try {
    const { code, data } = await postToPlatform<{ account: ExtensionProxyAccount | null }>('/v1/tool/proxy/extension/state', { token })
    if (code === SIGNED_OUT_CODE) {
      await disableProxy()
      await clearStorage()
      return { account: null, isOn: false }
    }
    if (code !== 200) throw new Error(String(code))
    const { account } = data
    await storeSessionState({ account, askedAt: Date.now(), isOffline: false })
    if (before.isOn && !account) await disableProxy()
    if (before.isOn && account && account.id !== before.account?.id) await enableProxy(account)
    if (before.isOn && account) await updateBadge(account)
    return { account, isOn: before.isOn && account !== null }
  } catch {
    const isOver = before.account !== null && Date.parse(before.account.expiresTime) <= Date.now()
    await storeSessionState({ isOffline: true, ...(isOver ? { account: null } : {}) })
    if (before.isOn && isOver) await disableProxy()
    return { account: isOver ? null : before.account, isOn: before.isOn && !isOver }
  }
}

async function enableProxy(account: ExtensionProxyAccount): Promise<void> {
  const { scheme, host, port } = account
  attemptedLogins.clear()
  // cleared first: Chromium caches proxy credentials until the proxy changes
  await chrome.proxy.settings.clear({ scope: 'regular' })
  await chrome.proxy.settings.set({
    scope: 'regular',
    value: { mode: 'fixed_servers', rules: { singleProxy: { scheme, host, port }, bypassList: await listBypassHosts() } },
  })
  await chrome.privacy.network.webRTCIPHandlingPolicy.set({ value: 'disable_non_proxied_udp' })
  await storeSessionState({ isOn: true })
  await chrome.alarms.create(POLL_ALARM, { periodInMinutes: POLL_MINUTES })
  await updateBadge(account)
}

/** The platform itself is reached straight: at the end it tells that it is the end. */
async function listBypassHosts(): Promise<string[]> {
  return [...BYPASS_HOSTS, new URL((await loadDownloadSite()).url).hostname]
}

async function disableProxy(): Promise<void> {
  await chrome.proxy.settings.clear({ scope: 'regular' })
  await chrome.privacy.network.webRTCIPHandlingPolicy.clear({})
  await chrome.alarms.clear(POLL_ALARM)
  await storeSessionState({ isOn: false })
  await chrome.action.setBadgeText({ text: '' })
}

async function updateBadge({ expiresTime }: ExtensionProxyAccount): Promise<void> {
  const minutes = Math.max(0, Math.ceil((Date.parse(expiresTime) - Date.now()) / 60_000))
  await chrome.action.setBadgeBackgroundColor({ color: '#16705b' })
  await chrome.action.setBadgeText({ text: String(minutes) })
}
