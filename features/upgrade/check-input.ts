/** What is wrong with an account's address; each a name for the text `mail_<name>`. */
export type MailProblem = 'empty' | 'invalid' | 'microsoft'

const MICROSOFT = /^(?:(?:outlook|hotmail|live|msn|passport)\.(?:[a-z]{2,3}|co[m]?\.[a-z]{2})|windowslive\.com)$/

/** Undefined: it can be upgraded. Accounts on Microsoft's mailboxes are refused by the merchants' own checks. */
export function mailProblem(typed: string): MailProblem | undefined {
  const mail = typed.trim().toLowerCase()
  if (mail === '') return 'empty'
  const found = /^[^\s@]+@([^\s@.]+(?:\.[^\s@.]+)+)$/.exec(mail)
  if (!found || mail.length > 100) return 'invalid'
  return MICROSOFT.test(found[1]!) ? 'microsoft' : undefined
}

/** What is wrong with a payment link; each a name for the text `link_<name>`. */
export type LinkProblem = 'empty' | 'not_link' | 'host' | 'incomplete'

/** A session of a payment page: its name stands in the path, and the page's own key behind the sign where the page is the processor's. */
const SESSION = /\/(cs_(?:live|test)_[A-Za-z0-9]{20,})(?:[/?#]|$)/
const PROCESSOR = /^(?:pay\.openai\.com|checkout\.stripe\.com)$/
const LEAST_KEY = 16

/** Undefined: a correct, complete link to a payment page of one of these hosts. */
export function linkProblem(typed: string, hosts: readonly string[]): LinkProblem | undefined {
  const link = typed.trim()
  if (link === '') return 'empty'
  const url = URL.canParse(link) && !/\s/.test(link) ? new URL(link) : undefined
  if (!url || link.length > 4000 || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return 'not_link'
  if (url.port !== '' || !hosts.includes(url.hostname)) return 'host'
  if (!SESSION.test(url.pathname + url.search)) return 'incomplete'
  return PROCESSOR.test(url.hostname) && url.hash.length <= LEAST_KEY ? 'incomplete' : undefined
}

/** `pay.openai.com/c/…a9Xk`: enough to know it again. */
export function shortLink(link: string): string {
  if (!URL.canParse(link)) return ''
  const { hostname, pathname } = new URL(link)
  const session = SESSION.exec(`${pathname}/`)?.[1] ?? pathname
  return `${hostname}/…${session.slice(-4)}`
}
