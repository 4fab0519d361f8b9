import { allowsSandbox } from '#platform/server/config.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { aPerson, drawBack, drawFront, drawHolder, drawPassport } from './draw-papers.ts'

const DRAW = { idFront: drawFront, idBack: drawBack, passport: drawPassport, photo: drawHolder } as const
const NOTHING = { status: 404, type: 'text/plain', body: 'no such page' }

/** Sample documents for the demo: pictures of the n-th made-up person and of their papers. A header carries the person's name. Only where the sandbox checks faces. */
export const samplePapers: RawRoute = {
  method: 'GET',
  path: '/sandbox/papers/{n}/{side}',
  role: 'sandbox',
  handle: async (deps, { params }) => {
    const draw = DRAW[params['side'] as keyof typeof DRAW]
    if (!allowsSandbox(deps.config, 'identity') || !draw || !/^\d{1,5}$/.test(params['n'] ?? '')) return NOTHING
    const person = aPerson(Number(params['n']))
    return {
      status: 200,
      type: 'image/jpeg',
      body: await draw(person),
      headers: { 'x-sample-name': encodeURIComponent(person.name), 'cache-control': 'no-store' },
    }
  },
}
