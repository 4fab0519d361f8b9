import { randomBytes } from 'node:crypto'
import type { Company } from '../company.ts'
import { cardOf } from '../cards.ts'
import { framePage, overPage } from './frame-page.ts'
import type { Reply, Request } from '../web/http.ts'

const SAFE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}
/** Default display time; a longer one means an operator pays with the card. */
const LOOK_MS = 60_000
const refused = (status: number, body: string): Reply => ({ status, type: 'text/plain; charset=utf-8', body, headers: SAFE })

/**
 * Shows a card's number and code once: the nonce is valid for one request, by any client, within a minute. Only a frame of a page
 * may load it: script requests are refused, and the browser refuses to show it inside any other origin.
 */
export function showFrame(company: Company, { method, query, headers }: Request): Reply {
  if (method !== 'GET') return refused(405, 'method not allowed')
  const found = company.store.takeReveal(query.get('nonce') ?? '')
  // browsers send `sec-fetch-dest` on secure origins; a script's cross-origin request has an `origin` header
  const goal = headers['sec-fetch-dest']
  if ((goal && goal !== 'iframe') || headers['origin'] || headers['x-requested-with']) return refused(403, 'for a frame only')
  if (!found) return refused(410, '已失效 No longer valid')
  const nonce = randomBytes(16).toString('base64')
  const page = (body: string, status: number): Reply => ({
    status,
    type: 'text/html; charset=utf-8',
    body,
    headers: {
      ...SAFE,
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors ${found.origin}`,
      'permissions-policy': 'clipboard-read=()',
    },
  })
  const left = found.ends - company.wall()
  if (left <= 0) return page(overPage(found, nonce), 410)
  const card = cardOf(company, found.card)
  const holder = company.store.find('holder', card.holder)!
  const { number, cvv } = company.store.numberOf(card.ref)
  const rows = {
    number: number.replace(/(.{4})(?=.)/g, '$1 '),
    expiry: `${String(card.expMonth).padStart(2, '0')}/${String(card.expYear).slice(-2)}`,
    cvv,
    holder: `${holder.firstName} ${holder.lastName}`,
  }
  return page(framePage({ ...found, left, stays: left > LOOK_MS, rows }, nonce), 200)
}
