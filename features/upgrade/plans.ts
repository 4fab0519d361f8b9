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

/** Upgradable services and plans, one line each. Prices in the price book (`upgrade.<plan>`) take precedence. */
export const UPGRADE_SERVICES = ['chatgpt', 'cursor', 'suno', 'midjourney', 'x', 'poe'] as const
export type UpgradeService = (typeof UPGRADE_SERVICES)[number]

export interface UpgradePlan {
  readonly id: string
  readonly service: UpgradeService
  /** Dollars per month, and per seat for a team, unless the price book overrides it. */
  readonly price: string
  /** Months paid in advance. */
  readonly months: 1 | 12
  /** Minimum seats of a team plan. */
  readonly team?: number
}

export const upgradePlans: readonly UpgradePlan[] = [
  { id: 'chatgpt-plus', service: 'chatgpt', price: '20.00', months: 1 },
  { id: 'chatgpt-pro', service: 'chatgpt', price: '200.00', months: 1 },
  { id: 'chatgpt-team-month', service: 'chatgpt', price: '30.00', months: 1, team: 2 },
  { id: 'chatgpt-team-year', service: 'chatgpt', price: '25.00', months: 12, team: 2 },
  { id: 'cursor-pro', service: 'cursor', price: '20.00', months: 1 },
  { id: 'cursor-ultra', service: 'cursor', price: '200.00', months: 1 },
  { id: 'suno-pro', service: 'suno', price: '10.00', months: 1 },
  { id: 'suno-premier', service: 'suno', price: '30.00', months: 1 },
  { id: 'midjourney-basic', service: 'midjourney', price: '10.00', months: 1 },
  { id: 'midjourney-standard', service: 'midjourney', price: '30.00', months: 1 },
  { id: 'x-premium', service: 'x', price: '8.00', months: 1 },
  { id: 'x-premium-plus', service: 'x', price: '40.00', months: 1 },
  { id: 'poe-month', service: 'poe', price: '19.99', months: 1 },
]

const byId = new Map(upgradePlans.map((plan) => [plan.id, plan]))
export const findUpgradePlan = (id: string): UpgradePlan | undefined => byId.get(id)

/** Maximum seats; more than this is a typing error. */
export const MAX_SEATS = 100

/** Checks the number of seats: one, or within the bounds of a team. */
export const isSeatCountAllowed = ({ team }: UpgradePlan, seats: number): boolean =>
  Number.isInteger(seats) && (team === undefined ? seats === 1 : seats >= team && seats <= MAX_SEATS)

export const UPGRADE_SERVICE_NAMES: Readonly<Record<UpgradeService, string>> = {
  chatgpt: 'ChatGPT',
  cursor: 'Cursor',
  suno: 'Suno',
  midjourney: 'Midjourney',
  x: 'X Premium',
  poe: 'Poe',
}
