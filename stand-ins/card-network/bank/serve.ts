import { createBankApi } from './api.ts'
import { createBankFormat } from './format.ts'
import { sweep } from '../authorizations.ts'
import { createCompany, sendByHttp } from '../company.ts'
import type { Company, Send } from '../company.ts'
import { openStore } from '../data.ts'
import { showFrame } from './frame.ts'
import type { Handle } from '../web/http.ts'
import { deliver } from '../post.ts'
import { createShop } from '../shop/shop.ts'
import { runDue } from '../time.ts'

export interface CompanySettings {
  /** `:memory:`, or where its store is. */
  readonly file: string
  readonly tokens: readonly Buffer[]
  readonly noticeKey: Buffer
  readonly send?: Send
  readonly wall?: () => number
  readonly decideWithinMs?: number
}

/** The company with its doors: the interface, the frame, the shop. */
export function openCompany({ file, tokens, noticeKey, send = sendByHttp, ...rest }: CompanySettings): { company: Company; handle: Handle } {
  const company = createCompany({ store: openStore(file), send, format: createBankFormat(noticeKey), ...rest })
  sweep(company)
  const api = createBankApi(company, tokens)
  const shop = createShop(company)
  return {
    company,
    handle: async (request) => {
      if (request.path.startsWith('/v1/')) return api(request)
      if (request.path === '/frame') return showFrame(company, request)
      if (request.path === '/healthz') return { status: 200, type: 'text/plain', body: 'ok' }
      return shop(request)
    },
  }
}

const TICK_MS = 250

/** Keeps its clock and its post going until told to stop. */
export function keepGoing(company: Company): () => void {
  let stopped = false
  let busy = false
  let again = false
  const turn = async () => {
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      await runDue(company)
      while (!stopped && (await deliver(company))) await Promise.resolve()
    } finally {
      busy = false
      if (again && !stopped) {
        again = false
        setImmediate(turn)
      }
    }
  }
  company.onWake(() => setImmediate(turn))
  const timer = setInterval(turn, TICK_MS)
  return () => {
    stopped = true
    clearInterval(timer)
  }
}
