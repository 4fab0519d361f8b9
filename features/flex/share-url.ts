import type { FlexService } from './packages.ts'

export interface ShareUrlOptions {
  readonly service: FlexService
  /** 0 to 9 for hosts with numbered siblings; absent to keep the host. */
  readonly digit?: number
}

/**
 * URL to open for a shared account: https only (except on this machine), for ChatGPT at one of the ten siblings of its host
 * (`chat.example.com` → `chat7.example.com`), for voice with `redirect=/voice`. Undefined if the URL must not be opened.
 */
export function rewriteShareUrl(given: string, { service, digit }: ShareUrlOptions): string | undefined {
  let url: URL
  try {
    url = new URL(given)
  } catch {
    return undefined
  }
  const isHere = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  if (url.protocol !== 'https:' && !(isHere && url.protocol === 'http:')) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  const isChat = service === 'chatgpt' || service === 'chatgptVoice'
  if (isChat && digit !== undefined && Number.isInteger(digit) && digit >= 0 && digit <= 9 && isNamed(url.hostname)) {
    const [first, ...rest] = url.hostname.split('.')
    url.hostname = [`${first!.replace(/\d$/, '')}${digit}`, ...rest].join('.')
  }
  if (service === 'chatgptVoice') url.searchParams.set('redirect', '/voice')
  return url.toString()
}

/** True for a public host name of at least two labels: no IP address, no local name. */
const isNamed = (host: string): boolean => /^[a-z][a-z0-9-]*(\.[a-z0-9-]+){2,}$/.test(host)
