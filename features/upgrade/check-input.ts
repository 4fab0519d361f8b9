/** Problem of an account's e-mail; each is the suffix of a text `mail_<name>`. */
export type MailProblem = 'empty' | 'invalid' | 'microsoft'

const MICROSOFT = /^(?:(?:outlook|hotmail|live|msn|passport)\.(?:[a-z]{2,3}|co[m]?\.[a-z]{2})|windowslive\.com)$/

/** Returns undefined if the account can be upgraded. The merchants reject accounts on Microsoft mailboxes. */
export function findMailProblem(typed: string): MailProblem | undefined {
  const mail = typed.trim().toLowerCase()
  if (mail === '') return 'empty'
  const found = /^[^\s@]+@([^\s@.]+(?:\.[^\s@.]+)+)$/.exec(mail)
  if (!found || mail.length > 100) return 'invalid'
  return MICROSOFT.test(found[1]!) ? 'microsoft' : undefined
}

/** Problem of a payment link; each is the suffix of a text `link_<name>`. */
export type LinkProblem = 'empty' | 'not_link' | 'host' | 'incomplete'

/** Session id in a payment link's path; on the processor's own pages the fragment holds the page key. */
const SESSION = /\/(cs_(?:live|test)_[A-Za-z0-9]{20,})(?:[/?#]|$)/
const PROCESSOR = /^(?:pay\.openai\.com|checkout\.stripe\.com)$/
const MIN_KEY_LENGTH = 16

/** Returns undefined for a valid, complete link to a payment page of one of these hosts. */
export function findLinkProblem(typed: string, hosts: readonly string[]): LinkProblem | undefined {
  const link = typed.trim()
  if (link === '') return 'empty'
  const url = URL.canParse(link) && !/\s/.test(link) ? new URL(link) : undefined
  if (!url || link.length > 4000 || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return 'not_link'
  if (url.port !== '' || !hosts.includes(url.hostname)) return 'host'
  if (!SESSION.test(url.pathname + url.search)) return 'incomplete'
  return PROCESSOR.test(url.hostname) && url.hash.length <= MIN_KEY_LENGTH ? 'incomplete' : undefined
}

/** Shortened link, such as `pay.openai.com/…a9Xk`, for recognition. */
export function shortenLink(link: string): string {
  if (!URL.canParse(link)) return ''
  const { hostname, pathname } = new URL(link)
  const session = SESSION.exec(`${pathname}/`)?.[1] ?? pathname
  return `${hostname}/…${session.slice(-4)}`
}
