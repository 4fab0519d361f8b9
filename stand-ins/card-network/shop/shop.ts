import { randomUUID } from 'node:crypto'
import { answerChallenge, challengeOf, isOpen } from '../challenges.ts'
import { Refusal } from '../company.ts'
import type { Company } from '../company.ts'
import type { Handle, Reply, Request } from '../web/http.ts'
import { DAY_MS } from '../model.ts'
import { nextMonth } from '../subscriptions.ts'
import { advance } from '../time.ts'
import { act, askForCode, carryOut, orderOf, readShopOrder } from './act.ts'
import { challengePage } from './challenge-page.ts'
import { list } from './list.ts'
import { counter, document, header, outcome } from './page.ts'
import { SHOPS } from './merchants.ts'
import { texts } from './texts.ts'
import type { PageLang } from '../web/languages.ts'
import { DEFAULT_PAGE_LANG, isPageLang } from '../web/languages.ts'

interface Visitor {
  readonly visit: string
  readonly lang: PageLang
  /** Response headers with the browser's cookies. */
  readonly headers: Readonly<Record<string, string>>
}

const cookiesOf = (request: Request) =>
  new Map(
    (request.headers['cookie'] ?? '').split(/;\s*/).map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )

function visitorOf(request: Request): Visitor {
  const cookies = cookiesOf(request)
  const known = /^[\w-]{36}$/.exec(cookies.get('shop-visit') ?? '')?.[0]
  const visit = known ?? randomUUID()
  const asked = request.query.get('lang') ?? cookies.get('shop-lang') ?? request.headers['accept-language']?.slice(0, 2)
  const lang: PageLang = isPageLang(asked) ? asked : DEFAULT_PAGE_LANG
  const keep = (name: string, value: string) => `${name}=${value}; Path=/shop; HttpOnly; SameSite=Lax; Max-Age=31536000`
  // one header line a cookie: the other one comes with the next page
  const cookie = known ? (request.query.has('lang') ? keep('shop-lang', lang) : undefined) : keep('shop-visit', visit)
  return { visit, lang, headers: cookie ? { 'set-cookie': cookie } : {} }
}

const to = (location: string, { headers }: Visitor): Reply => ({ status: 303, type: 'text/plain', body: '', headers: { ...headers, location } })

/** The shop: every merchant of the world behind one counter. */
export function createShop(company: Company): Handle {
  return async (request) => {
    const visitor = visitorOf(request)
    if (request.path === '/') return to('/shop', visitor)
    if (request.method === 'GET' && request.path === '/shop') return front(company, request, visitor)
    const [, ref] = /^\/shop\/challenge\/(\w+)$/.exec(request.path) ?? []
    if (ref) return codePage(company, request, visitor, ref)
    if (request.method !== 'POST') return document(visitor.lang, header(visitor.lang), { status: 404 })
    // a form of another site brings no answer here
    const site = request.headers['sec-fetch-site']
    if (site && site !== 'same-origin') return document(visitor.lang, header(visitor.lang), { status: 403 })
    const form = new URLSearchParams(request.body)
    if (request.path === '/shop/pay') return pay(company, form, visitor)
    if (request.path === '/shop/act')
      return act(company, form, visitor.visit).then(
        () => to('/shop#done', visitor),
        (error: unknown) => told(error, visitor),
      )
    if (request.path === '/shop/time') {
      await advance(company, stepOf(company, form.get('step')))
      return to('/shop#done', visitor)
    }
    return document(visitor.lang, header(visitor.lang), { status: 404 })
  }
}

function told(error: unknown, visitor: Visitor): Reply {
  if (!(error instanceof Refusal)) throw error
  return to('/shop?problem=gone', visitor)
}

function stepOf(company: Company, step: string | null): number {
  if (step === 'month') return nextMonth(company.now()) - company.now()
  return step === 'week' ? 7 * DAY_MS : step === 'day' ? DAY_MS : 0
}

function front(company: Company, { query }: Request, { visit, lang, headers }: Visitor): Reply {
  const ref = query.get('done') ?? ''
  const found = company.store.find('authorization', ref) ?? company.store.find('transaction', ref)
  const problem = query.get('problem') as keyof (typeof texts)['en'] | null
  const note = problem && ['badNumber', 'noCard', 'badSum', 'gone', 'challengeOver'].includes(problem) ? texts[lang][problem] : ''
  const chosen = SHOPS.find(({ id }) => id === query.get('shop'))?.id ?? SHOPS[0]!.id
  const own = found?.visit === visit ? found : undefined
  return document(lang, `${header(lang)}<div class="desk"><div>${counter(lang, chosen, note)}</div>${outcome(lang, own)}</div>${list(company, visit, lang)}`, {
    headers,
  })
}

async function pay(company: Company, form: URLSearchParams, visitor: Visitor): Promise<Reply> {
  const read = readShopOrder(company, form, visitor.visit)
  if ('problem' in read) return to(`/shop?problem=${read.problem}&shop=${encodeURIComponent(form.get('shop') ?? '')}`, visitor)
  // a card that cannot pay is declined without troubling its holder
  const isReady = company.store.find('card', read.order.card)?.state === 'active'
  if (read.secure && isReady) return to(`/shop/challenge/${askForCode(company, read.order)}`, visitor)
  return to(`/shop?done=${await carryOut(company, read.order)}&shop=${read.order.shop.id}`, visitor)
}

async function codePage(company: Company, { method, body }: Request, visitor: Visitor, ref: string): Promise<Reply> {
  const found = company.store.find('challenge', ref)
  if (!found || found.visit !== visitor.visit) return to('/shop', visitor)
  if (!isOpen(company, found)) return to('/shop?problem=challengeOver', visitor)
  if (method === 'GET') return challengePage(visitor.lang, found)
  const after = answerChallenge(company, ref, new URLSearchParams(body).get('code') ?? '')
  if (after.state === 'open') return challengePage(visitor.lang, challengeOf(company, ref))
  if (after.state === 'failed') return to('/shop?problem=challengeOver', visitor)
  const order = orderOf(after.purchase, after.card, visitor.visit)
  return to(`/shop?done=${await carryOut(company, order)}&shop=${order.shop.id}`, visitor)
}
