import { commonErrors } from '#platform/shared/errors.ts'
import type { Contract, ReplyOf, InputOf } from '#platform/shared/contract.ts'
import type { Page, Route } from 'playwright-core'

type Answers<C extends Contract> = { readonly [K in keyof C]?: ReplyOf<C[K]> | ((input: InputOf<C[K]>) => ReplyOf<C[K]> | Promise<ReplyOf<C[K]>>) | Refusal }
interface Refusal {
  readonly refuse: string
  readonly code?: number
}

/**
 * Answers a page's calls from its contract: replies are checked against the schema, so that a mock cannot drift from the
 * server. An endpoint without an answer is refused with 503, which shows the page's error state.
 */
export async function mockContract<C extends Contract>(page: Page, contract: C, answers: Answers<C>): Promise<void> {
  for (const [name, endpoint] of Object.entries(contract)) {
    const pattern = new RegExp(`^https?://[^/]+${endpoint.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`)
    await page.route(pattern, async (route: Route) => {
      if (route.request().method() !== endpoint.method) return route.fallback()
      const answer: Answers<C>[keyof C] | undefined = answers[name]
      if (!answer) return fulfillRoute(route, 503, { code: commonErrors.UNAVAILABLE.code, msg: 'not mocked', data: null })
      if (isRefusal(answer)) return fulfillRoute(route, 200, { code: answer.code ?? 500, msg: answer.refuse, data: null })
      const url = new URL(route.request().url())
      const body = endpoint.method === 'GET' ? Object.fromEntries(url.searchParams) : (route.request().postDataJSON() ?? {})
      const sent = { ...readPathParameters(endpoint.path, url.pathname), ...body }
      const data = typeof answer === 'function' ? await answer(endpoint.input.parse(sent) as InputOf<C[keyof C]>) : answer
      return fulfillRoute(route, 200, { code: 200, msg: 'OK', data: endpoint.reply.parse(data) })
    })
  }
}

/** Parameters in the path: /transaction/{id}. */
function readPathParameters(path: string, asked: string): Record<string, string> {
  const parts = asked.split('/')
  return Object.fromEntries(path.split('/').flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(parts[at] ?? '')]] : [])))
}

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refuse' in answer
}

function fulfillRoute(route: Route, status: number, body: object): Promise<void> {
  return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
}
